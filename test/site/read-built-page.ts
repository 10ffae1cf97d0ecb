import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from '../read-page.ts';

/** A page of a build as a browser without scripts would see it. */
export function readBuiltPage(build: string, file: string) {
  return readPage(readFileSync(join(build, 'site', file), 'utf8'));
}
