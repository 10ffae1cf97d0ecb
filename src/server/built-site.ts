import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Site } from '#site/document.tsx';

/** What the build tells the server and the checks, as `server/site.json`. */
export type BuiltSite = Site & {
  /** The files that are pages, such as `privacy-policy.html`. Other HTML files come from public/. */
  documents: string[];
};

/** @param build the folder with `site` and `server` in it */
export function readBuiltSite(build: string): BuiltSite {
  return JSON.parse(readFileSync(join(build, 'server/site.json'), 'utf8'));
}

/**
 * The files that the site serves, by address. A page has one address without an ending; every other file has its own.
 * @param build the folder with `site` and `server` in it
 */
export function addressesOf(build: string): Map<string, string> {
  const documents = new Set(readBuiltSite(build).documents);
  const files = filesOf(join(build, 'site'));
  const compressed = new Set(files.flatMap((file) => [`${file}.br`, `${file}.gz`]));
  return new Map(
    files
      .filter((file) => !FOR_OTHER_HOSTS.has(file) && !compressed.has(file))
      .map((file) => [documents.has(file) ? pageAddress(file) : `/${file}`, file]),
  );
}

const FOR_OTHER_HOSTS = new Set(['_headers', 'vercel.json']);

/** @returns every file under a folder, by its path in it, with `/` between its parts */
export function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}

/** `/` is in `index.html`, `/privacy-policy` in `privacy-policy.html`. */
export function pageFile(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}.html`;
}

function pageAddress(file: string): string {
  return file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`;
}
