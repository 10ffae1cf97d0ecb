import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { findPublicFileErrors } from './check-public-files.ts';

test.each([
  ['index.html', 'a page of its own'],
  ['Terms.html', 'a page of its own'],
  ['404.html', 'a page of its own'],
  ['terms/index.html', 'a page of its own'],
  ['assets/mine.css', 'a page of its own'],
  ['api/newsletter', 'a page of its own'],
  ['_headers', 'Remove yours'],
  ['Robots.txt', 'Name it public/robots.txt'],
  ['security.txt', 'Name it public/.well-known/security.txt'],
  ['.htaccess', 'begins with a dot'],
  ['.terms.pdf.icloud', 'iCloud keeps'],
])('reports a file in public/ that nobody would ever see: %s', (file, message) => {
  expect(errorsWith(file)).toEqual([expect.stringMatching(`^public/${file}: .*${message}`)]);
});

test.each([
  'terms.pdf',
  'google123.html',
  'terms/annex.html',
  '.well-known/assetlinks.json',
  'robots.txt',
  'llms.txt',
  'sitemap.xml',
  'favicon.ico',
  '.well-known/security.txt',
  '.DS_Store',
  'press/.gitkeep',
  'Thumbs.db',
  '.~lock.press.odt#',
  '@eaDir/press.pdf@SynoEAStream',
  '.apdisk',
  '.TemporaryItems/x',
  '.ds_store',
  '.index.html.un~',
])('accepts a file in public/ that is published, or that a system left there: %s', (file) =>
  expect(errorsWith(file)).toEqual([]),
);

function errorsWith(file: string): string[] {
  const folder = makeFolder();
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), '');
  return findPublicFileErrors(folder, ['/', '/privacy-policy', '/terms']);
}
