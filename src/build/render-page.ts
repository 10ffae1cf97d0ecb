import type { SiteContent } from '#content/site-content.ts';
import type { BuiltSite } from './built-site.ts';
import type { Content } from '#content/schemas/content-schema.ts';
import { makeAssets, readCode } from './read-code.ts';
import { createRenderer } from './render.ts';
import { replaceWords } from './replace-words.ts';

/** A page by its path, such as `/privacy-policy`, or one of the mails that answer a sign-up. */
export type Shown = { path: string } | { mail: keyof Content['mail'] };

/** Used instead of the site's own. @property fonts styles that come after the site's */
export type NewLook = Partial<Pick<SiteContent, 'portrait' | 'mark'>> & { fonts?: string };

/**
 * Renders one page or mail of content that isn't built, such as a draft, with the fonts of a built site.
 * @param code absolute path of the code, the folder `server` of a build
 * @returns a function that gives the document
 */
export function createPageRenderer(code: string) {
  const render = createRenderer(code);
  return (built: BuiltSite, content: Content, shown: Shown, { fonts = '', ...pictures }: NewLook): Promise<string> => {
    const words = { ...replaceWords(built.content, content), ...pictures };
    const styles = { ...words.styles, fonts: words.styles.fonts + fonts };
    const assets = { ...built.assets, ...makeAssets(readCode(code), styles) };
    return render({ site: { ...built, content: words, assets }, ...shown });
  };
}
