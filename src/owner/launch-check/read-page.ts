import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, Window } from 'happy-dom';
import { listAddresses, readBuiltSite } from '#server/built-site.ts';

/** A page of a built site as a browser without scripts would see it. */
export function readPage(html: string): Document {
  const window = new Window({ settings: { disableJavaScriptEvaluation: true, disableCSSFileLoading: true } });
  window.document.write(html);
  return window.document;
}

/** Whether it asks search engines to leave it out. */
export function isHidden(page: Document): boolean {
  return page.querySelector('meta[name="robots"][content*="noindex"]') !== null;
}

/**
 * @param build the folder with `site` and `server` in it
 * @returns every page of the site with its address
 */
export function readPages(build: string): { path: string; document: Document }[] {
  const { documents } = readBuiltSite(build);
  return [...listAddresses(build)]
    .filter(([, file]) => documents.includes(file))
    .map(([path, file]) => ({ path, document: readPage(readFileSync(join(build, 'site', file), 'utf8')) }));
}

/** @returns the bytes of what an address of a built site leads to, or undefined where there is nothing */
export function fileAt(site: string, path: string): Buffer | undefined {
  const candidates = path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`];
  const file = candidates.map((each) => join(site, each)).find((each) => existsSync(each));
  return file === undefined ? undefined : readFileSync(file);
}
