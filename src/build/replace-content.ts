import { makeLook } from '#content/brand/look.ts';
import type { SiteContent } from '#content/site-content.ts';
import { writeTokensCss } from '#content/brand/tokens-css.ts';
import type { Content } from '#content/schemas/content-schema.ts';

/** Replaces the text and colours of a built site with those of other content. Its pictures and fonts don't change. */
export function replaceContent(site: SiteContent, content: Content): SiteContent {
  const styles = { ...site.styles, tokens: writeTokensCss(content.brand) };
  const { brand, ...copy } = content;
  return { ...site, ...copy, brand: makeLook(brand), styles };
}
