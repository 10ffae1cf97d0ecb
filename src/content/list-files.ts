import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { tryDecodeURIComponent } from 'hono/utils/url';

/**
 * @returns every file under a folder, also symbolic links to files, by its path in it, with `/` between its parts; none
 *   if there is no folder
 */
export function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || (entry.isSymbolicLink() && isFile(join(entry.parentPath, entry.name))))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** @returns a check whether the server would answer a path, such as `/Our%20terms.pdf`, with a file of the folder */
export function createFileCheck(folder: string): (path: string) => boolean {
  const paths = new Set(listFiles(folder).map((file) => `/${file}`));
  return (path) => paths.has(tryDecodeURIComponent(path));
}
