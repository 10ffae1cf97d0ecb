import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** @returns every file under a folder, by its path in it, with `/` between its parts; none where there is no folder */
export function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}
