import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from './list-files.ts';

/** The files that the site is built from, relative to content/: all but updates and the editor schemas. */
export function listContentPaths(content: string): string[] {
  const isExcluded = (path: string) => /^(updates|schemas)\//.test(path) || /(^|\/)\.|\.unfinished$/.test(path);
  return listFiles(content)
    .filter((path) => !isExcluded(path))
    .toSorted();
}

/** Identifies the state of content/: folders with the same files have the same hash. */
export function hashContent(content: string): string {
  const digest = createHash('sha256');
  for (const path of listContentPaths(content)) {
    const bytes = readFileSync(join(content, path));
    digest.update(JSON.stringify([path, bytes.length])).update(bytes);
  }
  return digest.digest('base64url').slice(0, 16);
}

/** Copies these files into a new folder. */
export async function copyContent(content: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const path of listContentPaths(content)) await cp(join(content, path), join(to, path));
}
