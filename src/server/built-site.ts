import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** @returns every file under a folder, by its path in it, with `/` between its parts */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}

/**
 * `index.html` is `/`, `privacy-policy.html` is `/privacy-policy`: a page of the built site has one address.
 * @param file its path in the folder of the site
 */
export function addressOf(file: string): string {
  return `/${file.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`;
}
