import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readBuiltSite } from '#build/built-site.ts';
import { listFiles } from '#content/list-files.ts';
import { findPublicFileMistakes } from '#content/check-public-files.ts';
import { PUBLIC_SITE } from '../built-sites.ts';

test('no file of public/ is overwritten by one of the build', () => {
  const site = join(PUBLIC_SITE, 'site');
  const pages = readBuiltSite(PUBLIC_SITE).documents.map((file) => `/${file.replace(/\.html$/, '')}`);
  const known = new Set(findPublicFileMistakes(site, pages).map((mistake) => /^public\/([^:]+):/.exec(mistake)![1]));
  const unknown = listFiles(site).filter((file) => !/\.(br|gz)$/.test(file) && !known.has(file));
  const shipped = fileURLToPath(new URL('../../public', import.meta.url));
  expect(unknown.filter((file) => !existsSync(join(shipped, file)))).toEqual([]);
});
