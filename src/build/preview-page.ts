import type { HeaderMark, Portrait } from '#content/site-content.ts';
import type { Content } from '#content/schemas/content-schema.ts';
import type { BuiltSite } from './built-site.ts';
import { loadRenderer } from './load-renderer.ts';
import { makeAssets, readCode } from './read-code.ts';
import { replaceContent } from './replace-content.ts';

/** Pictures and fonts that replace the site's. @property fonts styles that come after the site's */
export type LookOverrides = { portrait?: Portrait; mark?: HeaderMark | undefined; fonts?: string };

/** Puts content that hasn't been built, such as a draft, into a built site. The site's fonts stay the same. */
export function previewSite(
  built: BuiltSite,
  content: Content,
  { code, look: { fonts = '', ...pictures } }: { code: string; look: LookOverrides },
): BuiltSite {
  const shown = { ...replaceContent(built.content, content), ...pictures };
  const styles = { ...shown.styles, fonts: shown.styles.fonts + fonts };
  return { ...built, content: shown, assets: { ...built.assets, ...makeAssets(readCode(code), styles) } };
}

/**
 * Renders a page of a site, such as one of `previewSite`.
 * @param code absolute path of a build's `server` folder
 */
export async function previewPage(site: BuiltSite, path: string, code: string): Promise<string | undefined> {
  const { renderSitePage } = await loadRenderer(code);
  return renderSitePage(site, path);
}
