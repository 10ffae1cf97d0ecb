import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readBuiltSite } from './built-site.ts';

test('says what to do if a build is missing, or was emptied by a power cut', () => {
  const build = makeFolder();
  const file = join(build, 'content.json');
  expect(() => readBuiltSite(build)).toThrow(`${file} is missing: run npm run build`);
  mkdirSync(join(build, 'site'));
  writeFileSync(join(build, 'site/index.html'), '');
  writeFileSync(file, '{"documents":[]}');
  expect(readBuiltSite(build).documents).toEqual([]);
  truncateSync(file);
  expect(() => readBuiltSite(build)).toThrow(`${file} is damaged: run npm run build`);
});
