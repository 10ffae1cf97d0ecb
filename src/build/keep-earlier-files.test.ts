import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { keepEarlierFiles } from './keep-earlier-files.ts';

test('keeps a hashed file through later builds, until a week after it was replaced', async () => {
  const builds = [makeFolder(), makeFolder(), makeFolder(), makeFolder()] as const;
  for (const [index, build] of builds.entries()) {
    mkdirSync(join(build, 'site/assets'), { recursive: true });
    writeFileSync(join(build, `site/assets/a-${index}.js`), '');
  }
  const isKept = (build: string) => existsSync(join(build, 'site/assets/a-0.js'));
  await keepEarlierFiles(builds[0], builds[1], { now: new Date('2026-03-01') });
  await keepEarlierFiles(builds[1], builds[2], { now: new Date('2026-03-07') });
  expect([builds[1], builds[2]].map(isKept)).toEqual([true, true]);
  await keepEarlierFiles(builds[2], builds[3], { now: new Date('2026-03-09') });
  expect(isKept(builds[3])).toBe(false);
  expect(existsSync(join(builds[3], 'site/assets/a-1.js'))).toBe(true);
});
