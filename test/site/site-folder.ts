import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from '../../tools/check/read-page.ts';

/** The pages of a built site that stand for every visitor, with the address of each. */
export const PAGES = [
  { path: '/', file: 'index.html' },
  { path: '/privacy-policy', file: 'privacy-policy.html' },
  { path: '/404', file: '404.html' },
];

/** A page of a build as a browser without scripts would see it. */
export function pageOf(build: string, file: string) {
  return readPage(readFileSync(join(build, 'site', file), 'utf8'));
}
