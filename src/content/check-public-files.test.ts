import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { findPublicFileErrors } from './check-public-files.ts';

test.each([
  ['index.html', 'already uses this path'],
  ['Terms.html', 'already uses this path'],
  ['404.html', 'already uses this path'],
  ['terms/index.html', 'already uses this path'],
  ['assets/mine.css', 'already uses this path'],
  ['api/newsletter', 'already uses this path'],
  ['_headers', 'Remove yours'],
  ['Robots.txt', 'Name it public/robots.txt'],
  ['security.txt', 'Name it public/.well-known/security.txt'],
  ['.htaccess', 'begins with a dot'],
  ['sitemap.xml.gz', 'a compressed copy of sitemap.xml'],
  ['.terms.pdf.icloud', 'iCloud keeps'],
])('reports a file in public/ that would never be served: %s', (file, message) => {
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

test('reports two files whose names differ only in how umlauts are stored', () => {
  const errors = errorsWith('Größe.pdf'.normalize('NFC'), 'Größe.pdf'.normalize('NFD'));
  expect(errors).toEqual([expect.stringContaining('another file has this name')]);
});

function errorsWith(...files: string[]): string[] {
  const folder = makeFolder();
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  return findPublicFileErrors(folder, ['/', '/privacy-policy', '/terms']);
}
