import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { findPublicFileMistakes } from './check-public-files.ts';

test.each(['index.html', 'Terms.html', 'robots.txt', '.well-known/security.txt', 'assets/mine.css', 'api/newsletter'])(
  'a file of public/ that would never be seen is reported: %s',
  (file) => {
    expect(mistakesWith(file)).toEqual([
      `public/${file}: the site has a file of its own at this path. Give yours another name`,
    ]);
  },
);

test.each(['terms.pdf', 'google123.html', 'terms/annex.html', '.well-known/assetlinks.json', 'favicon.svg'])(
  'a file of public/ with a URL of its own is accepted: %s',
  (file) => expect(mistakesWith(file)).toEqual([]),
);

function mistakesWith(file: string): string[] {
  const folder = makeFolder();
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), '');
  return findPublicFileMistakes(folder, ['/', '/privacy-policy', '/terms']);
}
