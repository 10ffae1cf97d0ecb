import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '#content/list-files.ts';
import type { SiteContent } from '#content/site-content.ts';
import type { Site } from '#layout/page.ts';

/** The output of the content stage for programs and checks: `content.json`, next to the folder `site`. */
export type BuiltSite = Omit<Site, 'footerLinks'> & {
  content: SiteContent;
  /** The files that are pages, such as `privacy-policy.html`. Other HTML files come from public/. */
  documents: string[];
  /** Identifies the code that built the site. */
  code: string;
  /** Identifies the content that it was built from (src/content/content-files.ts). */
  contentHash: string;
};

/**
 * @param build the folder with `site` and `content.json` in it
 * @throws if the site hasn't been built, or only partly, or if its file is damaged
 */
export function readBuiltSite(build: string): BuiltSite {
  const file = join(build, 'content.json');
  for (const needed of [file, join(build, 'site/index.html')]) {
    if (!existsSync(needed)) throw new Error(`${needed} is missing: run npm run build`);
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as BuiltSite;
  } catch (error) {
    throw new Error(`${file} is damaged: run npm run build`, { cause: error });
  }
}

/**
 * Lists the files that the site serves, by the path of their URL. A page has one path, without an extension.
 * @param build the folder with `site` and `content.json` in it
 */
export function listUrlPaths(build: string): Map<string, string> {
  const documents = new Set(readBuiltSite(build).documents);
  const files = listFiles(join(build, 'site'));
  const compressed = new Set(files.flatMap((file) => [`${file}.br`, `${file}.gz`]));
  return new Map(
    files
      .filter((file) => !FOR_OTHER_HOSTS.has(file) && !compressed.has(file))
      .map((file) => [documents.has(file) ? toPagePath(file) : `/${file}`, file]),
  );
}

const FOR_OTHER_HOSTS = new Set(['_headers', '_redirects', 'vercel.json']);

/** Returns the file of a page: `index.html` for `/`, `privacy-policy.html` for `/privacy-policy`. */
export function toPageFile(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}.html`;
}

/** The reverse of `toPageFile`. */
export function toPagePath(file: string): string {
  return file === 'index.html' ? '/' : `/${file.replace(/\.html$/, '')}`;
}
