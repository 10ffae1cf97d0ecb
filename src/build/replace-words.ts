import { makeLook } from '#content/look.ts';
import type { SiteContent } from '#content/site-content.ts';
import { writeTokensCss } from '#content/tokens-css.ts';
import type { Content } from '#shared/content-schema.ts';

/** Replaces the words and the colours of a made site by those of other content: its pictures and fonts stay. */
export function replaceWords(site: SiteContent, content: Content): SiteContent {
  const styles = { ...site.styles, tokens: writeTokensCss(content.brand) };
  const { brand, ...words } = content;
  return { ...site, ...words, brand: makeLook(brand), styles };
}
