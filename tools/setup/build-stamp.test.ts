import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { isBuildFresh, stampBuild } from './build-stamp.mjs';

test.each([
  ['public/terms.pdf', false],
  ['content/updates.yaml', false],
  ['src/site/page.tsx', false],
  ['src/site/page.test.tsx', true],
  ['content/updates/draft.md', true],
])('whether a build is fresh after a change of %s: %s', (file, isFresh) => {
  const root = makeFolder();
  const build = join(root, 'dist');
  mkdirSync(build);
  stampBuild(build, new Date());
  expect(isBuildFresh(root, build)).toBe(true);
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), '');
  // The file alone is newer than the build, its folders are not.
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) utimesSync(join(root, folder), 0, 0);
  const later = Date.now() / 1000 + 60;
  utimesSync(join(root, file), later, later);
  expect(isBuildFresh(root, build)).toBe(isFresh);
});

test('a file saved while the build runs makes the build older than its sources', () => {
  const root = makeFolder();
  const started = new Date(Date.now() - 1000);
  mkdirSync(join(root, 'content'));
  writeFileSync(join(root, 'content/home.yaml'), '');
  stampBuild(root, started);
  expect(isBuildFresh(root, root)).toBe(false);
});
