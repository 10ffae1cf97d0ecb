import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** @returns every file under a folder, by its path in it, with `/` between its parts */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}
