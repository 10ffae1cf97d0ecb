import type { Content } from '#shared/content-schema.ts';
import { findBrokenLinks } from './check-links.ts';
import { findPublicFileMistakes } from './check-public-files.ts';
import { findPictureMistakes } from './check-pictures.ts';
import { ContentError, readContent } from './read-content.ts';

/**
 * Reads and checks the content folder with its pictures.
 * @param folder absolute path of content/
 * @param publicFolder absolute path of public/
 * @throws {ContentError} with every mistake of every file, a line each
 */
export async function readWholeContent(folder: string, publicFolder: string): Promise<Content> {
  const mistakes = await findPictureMistakes(folder);
  try {
    const content = readContent(folder);
    const pages = [content.privacyPolicy, ...content.markdownPages].map(({ path }) => path);
    mistakes.push(...findPublicFileMistakes(publicFolder, pages));
    mistakes.push(...findBrokenLinks(folder, publicFolder, content));
    if (mistakes.length === 0) return content;
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    mistakes.unshift(error.message);
  }
  throw new ContentError(mistakes.join('\n'));
}
