import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Document, Window } from 'happy-dom';
import { addressOf } from '../../src/site-address.ts';

/** A page of a built site as a browser without scripts would see it. */
export function readPage(html: string): Document {
  const window = new Window({ settings: { disableJavaScriptEvaluation: true, disableCSSFileLoading: true } });
  window.document.write(html);
  return window.document;
}

/** @returns every page of a built site with its address */
export function readPages(site: string): { path: string; document: Document }[] {
  return filesOf(site)
    .filter((file) => file.endsWith('.html'))
    .toSorted()
    .map((file) => ({ path: addressOf(`/${file}`), document: readPage(readFileSync(join(site, file), 'utf8')) }));
}

/** @returns every file under a folder, by its path in it */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** @returns the bytes of what an address of a built site leads to, or undefined where there is nothing */
export function fileAt(site: string, path: string): Buffer | undefined {
  const candidates = path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`];
  const file = candidates.map((each) => join(site, each)).find((each) => existsSync(each));
  return file === undefined ? undefined : readFileSync(file);
}
