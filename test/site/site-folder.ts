import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Window } from 'happy-dom';

/** The pages of a built site that stand for every visitor, with the address of each. */
export const PAGES = [
  { path: '/', file: 'index.html' },
  { path: '/privacy-policy', file: 'privacy-policy.html' },
  { path: '/404', file: '404.html' },
];

/** A page of a built site as a browser without scripts would see it. */
export function readPage(build: string, file: string) {
  const window = new Window({ settings: { disableJavaScriptEvaluation: true, disableCSSFileLoading: true } });
  window.document.write(readFileSync(join(build, 'site', file), 'utf8'));
  return window.document;
}

/** @returns every file under a folder, by its path in it */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** @returns the bytes of what an address of the site leads to, or undefined where there is nothing */
export function fileAt(build: string, path: string): Buffer | undefined {
  const file = [path, `${path}.html`, join(path, 'index.html')]
    .map((each) => join(build, 'site', each))
    .find((each) => existsSync(each) && /\.\w+$/.test(each));
  return file === undefined ? undefined : readFileSync(file);
}
