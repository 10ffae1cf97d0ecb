import { listFiles } from './list-files.ts';

/** Files that the build writes besides pages; a test compares them. */
export const GENERATED_FILES = [
  '404.html',
  '.well-known/security.txt',
  '_headers',
  'apple-touch-icon.png',
  'favicon.ico',
  'icon-192.png',
  'icon-512.png',
  'icon-maskable-512.png',
  'licenses.txt',
  'llms.txt',
  'manifest.webmanifest',
  'mark.png',
  'robots.txt',
  'sitemap.xml',
  'vercel.json',
];

const RESERVED_PATHS = /^(assets|api|newsletter|healthz)(\/|$)/;

/**
 * Finds files of public/ that nobody would see, since the site has another file of that name.
 * @param publicFolder absolute path of public/
 * @param pages the paths of all pages, such as `/terms`
 * @returns a line for each, beginning with the file
 */
export function findPublicFileMistakes(publicFolder: string, pages: string[]): string[] {
  const documents = pages.map((path) => (path === '/' ? 'index.html' : `${path.slice(1)}.html`));
  const reserved = new Set([...documents, ...GENERATED_FILES].map((file) => file.toLowerCase()));
  const unseen = listFiles(publicFolder).filter(
    (file) => reserved.has(file.toLowerCase()) || RESERVED_PATHS.test(file),
  );
  return unseen
    .toSorted()
    .map((file) => `public/${file}: the site has a file of its own at this path. Give yours another name`);
}
