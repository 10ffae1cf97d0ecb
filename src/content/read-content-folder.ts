import type { Content } from './schemas/content-schema.ts';
import { findBrokenLinks, findPathClashes, findRedirectMistakes } from './markdown/check-links.ts';
import { findMisnamedFiles } from './check-file-names.ts';
import { findPublicFileMistakes } from './check-public-files.ts';
import { findPictureMistakes } from './pictures/check-pictures.ts';
import { ContentError, formatMistakes, readContent } from './parse-content.ts';

/**
 * Reads and checks the content folder with its pictures.
 * @param folder absolute path of content/
 * @throws {ContentError} with every mistake of every file, a line each
 */
export async function readWholeContent(folder: string): Promise<Content> {
  const mistakes = [...findMisnamedFiles(folder), ...(await findPictureMistakes(folder))];
  try {
    const content = readContent(folder);
    if (mistakes.length === 0) return content;
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    mistakes.unshift(error.message);
  }
  throw new ContentError(mistakes.join('\n'));
}

/**
 * Checks that no two pages have the same path, and that every link has a target.
 * @param from.folder absolute path of content/
 * @param from.publicFolder absolute path of public/
 * @param paths of all pages, including those of components
 * @throws {ContentError} with every mistake, a line each
 */
export function checkPaths(
  content: Content,
  { folder, publicFolder }: { folder: string; publicFolder: string },
  paths: string[],
): void {
  const mistakes = [
    ...findPublicFileMistakes(publicFolder, paths),
    ...findPathClashes(folder, content, paths),
    ...findRedirectMistakes(folder, content, paths),
    ...formatMistakes(folder, findBrokenLinks({ folder, publicFolder }, content, paths)),
  ];
  if (mistakes.length > 0) throw new ContentError(mistakes.join('\n'));
}
