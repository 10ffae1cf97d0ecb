import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { tryDecodeURIComponent } from 'hono/utils/url';

/**
 * @returns every file under a folder, including symbolic links to files, as a relative path with `/`; none if the
 * folder doesn't exist
 */
export function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || (entry.isSymbolicLink() && isFile(join(entry.parentPath, entry.name))))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}

/**
 * Lists the files of public/ that are published: not those that systems and editors leave there, and no hidden files
 * except `.well-known/`.
 * @returns the path of each in the folder, by its path on the site. A Mac may write ü as two characters (NFD); links
 *   have one (NFC)
 */
export function listPublicFiles(folder: string): Map<string, string> {
  const published = listFiles(folder).filter((file) => !isHidden(file) && !isLeftOver(file) && !BACKUP.test(file));
  return new Map(published.map((file) => [file.normalize('NFC'), file]));
}

/** Whether a part of a path begins with a dot, as in `.env` and `.git/config`. */
export function isHidden(file: string): boolean {
  return /(^|\/)\./.test(file.replace(/^\.well-known\//, ''));
}

/** Matches copies of an earlier version that editors, Git and people keep. */
const BACKUP = /\.(bak|backup|orig|old|rej|save)$/i;

/** Whether iCloud has left only a placeholder, such as `.portrait.jpg.icloud`, to free space on a Mac. */
export function isInCloud(file: string): boolean {
  return /(^|\/)\.[^/]+\.icloud$/.test(file);
}

export const IN_CLOUD =
  'iCloud keeps this file only online, so it is not read. In Finder, choose Download Now from its menu';

/** Whether a system or an editor left the file there: Windows, macOS, a NAS, Office, vi, Emacs, npm, a download. */
export function isLeftOver(file: string): boolean {
  return /(^|\/)((__MACOSX|node_modules|@eaDir|lost\+found|\$RECYCLE\.BIN|[@#]Recycle|#snapshot|System Volume Information|Network Trash Folder|Temporary Items|CVS)\/|(Thumbs\.db(:encryptable)?|ehthumbs(_vista)?\.db|[^/]*:Zone\.Identifier|desktop\.ini|Icon\r|~\$[^/]*|#[^/]*#|[^/]*(~|\.(sw[a-p]|tmp|part|partial|download|crdownload)))$)/i.test(
    file,
  );
}

/** @returns a function that says whether the server would serve a path, such as `/Our%20terms.pdf`, from the folder */
export function createFileCheck(folder: string): (path: string) => boolean {
  const paths = new Set([...listPublicFiles(folder).keys()].map((file) => `/${file}`));
  return (path) => paths.has(tryDecodeURIComponent(path).normalize('NFC'));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
