import type { SiteContent } from '#content/site-content.ts';
import type { BuiltSite } from '#server/built-site.ts';
import type { Content } from '#shared/content-schema.ts';
import { makeAssets, readCode } from './code.ts';
import { renderInThread } from './render.ts';
import { replaceWords } from './replace-words.ts';

/** A page by its path, such as `/privacy-policy`, or one of the mails that answer a sign-up. */
export type Shown = { path: string } | { mail: keyof Content['mail'] };

/**
 * Renders one page or mail of content that isn't built, such as a draft, with the fonts of a built site.
 * @param code absolute path of the code, the folder `server` of a build
 * @param pictures used instead of the site's own
 * @returns the document
 */
export function renderPage(
  code: string,
  built: BuiltSite,
  content: Content,
  shown: Shown,
  pictures: Partial<Pick<SiteContent, 'portrait' | 'mark'>> = {},
): Promise<string> {
  const words = { ...replaceWords(built.content, content), ...pictures };
  const assets = { ...built.assets, ...makeAssets(readCode(code), words.styles) };
  return renderInThread(code, { site: { ...built, content: words, assets }, ...shown });
}
