import { basename, dirname } from 'node:path';
import { listFiles } from './list-files.ts';
import { MARK_FILES, PORTRAIT_FILES } from './pictures.ts';

/**
 * Files of content/ that nothing reads, since their names or places are others than the owner thinks.
 * @param folder absolute path of content/
 * @param read the files that are read, by their names in the folder
 */
export function findMisnamedFiles(folder: string, read: string[]): { file: string; message: string }[] {
  const files = ownersFiles(folder);
  return files.flatMap((file) => {
    const message = read.includes(file) ? undefined : explain(file, read, files);
    return message === undefined ? [] : [{ file, message }];
  });
}

/** @returns the name of a file that differs from a wanted one in capitals or ending alone */
export function findLookAlike(folder: string, wanted: string): string | undefined {
  return ownersFiles(folder).find((file) => file !== wanted && toStem(file) === toStem(wanted) && TEXT.test(file));
}

const TEXT = /\.(ya?ml|md|markdown)(\.txt)?$/i;
const DOCUMENT = /\.(ya?ml|md|markdown|txt|docx?|odt|rtf)$/i;
// A PDF is a picture only where its name says so: others may be contracts, which public/ would publish.
const PICTURE = /\.(jpe?g|png|webp|svg|heic|heif|avif|gif|tiff?|bmp)$|^(mark|portrait)\.(pdf|ai|eps)$/i;

/** Without those that systems and programs leave beside them, such as `._terms.md` and `~$terms.docx`. */
function ownersFiles(folder: string): string[] {
  return listFiles(folder).filter((file) => !file.startsWith('schemas/') && !/(^|\/)[.~]/.test(file));
}

function explain(file: string, read: string[], files: string[]): string | undefined {
  const name = basename(file);
  if (/^readme\./i.test(name)) return undefined;
  const room = dirname(file);
  if (room !== '.') return explainWithin(room, name);
  if (TEXT.test(name)) {
    const meant = read.find((each) => toStem(each) === toStem(name));
    if (meant && files.includes(meant)) return `${meant} is there too, and is the one that is read. Remove one of them`;
    if (meant) return `a file of this name is not read. Name it ${meant}, in small letters and with this ending`;
    const known = read.filter((each) => each.endsWith('.yaml')).join(', ');
    return /\.ya?ml/i.test(name)
      ? `a file of this name is not read. Known are ${known}`
      : 'pages belong in content/pages/, updates in content/updates/. Move it there';
  }
  if (!PICTURE.test(name) || [...MARK_FILES, ...PORTRAIT_FILES].includes(name)) return undefined;
  const own = `your photograph as ${PORTRAIT_FILES[0]}, your mark as ${MARK_FILES.join(' or ')}`;
  return `a picture of this name is not looked for. Save ${own}, and other pictures in public/`;
}

function explainWithin(room: string, name: string): string | undefined {
  if (PICTURE.test(name)) return 'a picture is not looked for here. Save it in public/';
  if (!DOCUMENT.test(name)) return undefined;
  if (room !== 'pages' && room !== 'updates') {
    return `a file is not looked for here. Move it to content/${/^updates/i.test(room) ? 'updates' : 'pages'}/ itself`;
  }
  return 'a file of this kind is not read. Save its text in a file whose name ends in .md, in small letters';
}

/** `pages/Terms.md.txt` and `pages/terms.md` are one to the person who named them. */
function toStem(file: string): string {
  return file.toLowerCase().replace(TEXT, '');
}
