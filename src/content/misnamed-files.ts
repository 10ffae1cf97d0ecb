import { basename, dirname } from 'node:path';
import { findNearest } from './find-nearest.ts';
import { listFiles } from './list-files.ts';
import { MARK_FILES, PORTRAIT_FILES } from './pictures.ts';

/**
 * Finds files of content/ that nothing reads, since their names or places differ from those that are read.
 * @param folder absolute path of content/
 * @param read the files that are read, by their names in the folder
 */
export function findMisnamedFiles(folder: string, read: string[]): { file: string; message: string }[] {
  const known = [...read, ...MARK_FILES, ...PORTRAIT_FILES];
  const misnamed = listFiles(folder).filter((file) => !known.includes(file) && isOwners(file));
  return misnamed.map((file) => {
    const meant = findNearest(file, known);
    const advice = meant ? `Did you mean ${meant}?` : `Known are ${known.join(', ')}.`;
    return { file, message: `nothing reads a file of this name. ${advice} ${PLACES}` };
  });
}

const PLACES =
  'Pages are read from pages/ and updates from updates/, each a text ending in .md; other pictures belong in public/';

/**
 * Whether the owner may expect the file to be read: not one that a system or a program left, such as `._terms.md`, and
 * no note of another kind. A draft of an update is checked when it is previewed, tried or sent.
 */
function isOwners(file: string): boolean {
  if (/^(schemas|updates)\//.test(file) || /(^|\/)([.~]|readme\.)/i.test(file)) return false;
  const isPage = dirname(file) !== '.' && DOCUMENT.test(file);
  return isPage || TEXT.test(file) || PICTURE.test(basename(file));
}

const TEXT = /\.(ya?ml|md|markdown)(\.txt)?$/i;
const DOCUMENT = /\.(txt|docx?|odt|rtf)$/i;
// A PDF is a picture only where its name says so: others may be contracts, which public/ would publish.
const PICTURE = /\.(jpe?g|png|webp|svg|heic|heif|avif|gif|tiff?|bmp)$|^(mark|portrait)\.(pdf|ai|eps)$/i;
