import type { Content } from './schemas/content-schema.ts';
import { findBrokenLinks, findPathClashes, findRedirectErrors } from './markdown/check-links.ts';
import { findMisnamedFiles } from './check-file-names.ts';
import { findPublicFileErrors } from './check-public-files.ts';
import { findPictureErrors } from './pictures/check-pictures.ts';
import { createFileCheck } from './list-files.ts';
import { ContentError, formatFileErrors, nameFile, readContent } from './parse-content.ts';

/**
 * Reads and checks the content folder with its pictures.
 * @param folder absolute path of content/
 * @throws {ContentError} with every error of every file, a line each
 */
export async function readWholeContent(folder: string): Promise<Content> {
  const errors = [...findMisnamedFiles(folder), ...(await findPictureErrors(folder))];
  try {
    const content = readContent(folder);
    if (errors.length === 0) return content;
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    errors.unshift(error.message);
  }
  throw new ContentError(errors.join('\n'));
}

/**
 * Checks that no two pages have the same path, and that every link has a target.
 * @param from.folder absolute path of content/
 * @param from.publicFolder absolute path of public/
 * @param paths of all pages, including those made of components
 * @throws {ContentError} with every error, a line each
 */
export function checkPaths(
  content: Content,
  { folder, publicFolder }: { folder: string; publicFolder: string },
  paths: string[],
): void {
  const redirectErrors = findRedirectErrors(content, paths, createFileCheck(publicFolder));
  const errors = [
    ...findPublicFileErrors(publicFolder, paths),
    ...findPathClashes(folder, content, paths),
    ...redirectErrors.map(({ file, field, message }) => `${nameFile(folder, file)}: ${field}: ${message}`),
    ...formatFileErrors(folder, findBrokenLinks({ folder, publicFolder }, content, paths)),
  ];
  if (errors.length > 0) throw new ContentError(errors.join('\n'));
}
