import type { BuiltSite } from '#server/built-site.ts';
import type { Content } from '#shared/content-schema.ts';
import { makeAssets, readCode } from './code.ts';
import { replaceWords } from './make-site-content.ts';
import { renderInThread } from './render.ts';

/**
 * Renders one page of content that isn't built, such as a draft: with the pictures and fonts of a built site.
 * @param code absolute path of the code, the folder `server` of a build
 * @param path such as `/privacy-policy`
 * @returns the document
 */
export function renderPage(code: string, built: BuiltSite, content: Content, path: string): Promise<string> {
  const words = replaceWords(built.content, content);
  const assets = { ...built.assets, ...makeAssets(readCode(code), words.styles) };
  return renderInThread(code, { site: { ...built, content: words, assets }, path });
}
