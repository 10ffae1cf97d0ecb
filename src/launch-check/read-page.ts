import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, Window } from 'happy-dom';
import { listUrlPaths, readBuiltSite } from '#build/built-site.ts';

/** Parses a page as a browser without scripts would. */
export function readPage(html: string): Document {
  const window = new Window({ settings: { disableJavaScriptEvaluation: true, disableCSSFileLoading: true } });
  window.document.write(html);
  return window.document;
}

/**
 * @param build the folder with `site` and `server` in it
 * @returns every page of the site with its path
 */
export function readPages(build: string): { path: string; document: Document }[] {
  const { documents } = readBuiltSite(build);
  return [...listUrlPaths(build)]
    .filter(([, file]) => documents.includes(file))
    .map(([path, file]) => ({ path, document: readPage(readFileSync(join(build, 'site', file), 'utf8')) }));
}
