import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyContentForEachTest } from '../../../test/content-copy.ts';
import { makeFolder } from '../../../test/make-folder.ts';
import type { Desk } from '../desk-types.ts';
import { readPublication } from './publication.ts';
import { beginPublish } from './publish.ts';
import { listVersions, removeOldVersions } from './versions.ts';

const copy = copyContentForEachTest();

test('a publish that the disk has no room for says that nothing was published, and another may begin', async () => {
  const dataDir = makeFolder();
  const desk = { env: { DATA_DIR: dataDir }, places: { build: join(dataDir, 'dist'), content: copy.folder } };
  const files = readdirSync(copy.folder);
  const noRoom = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  const publish = () => beginPublish(desk as Desk, { content: copy.folder, changed: '', write: noRoom });
  // As a full disk does, a folder in the way lets nothing be written.
  const inTheWay = join(dataDir, 'sites/last.json.unfinished');
  mkdirSync(inTheWay, { recursive: true });
  expect(publish).toThrow(/^Nothing was published: /);
  rmdirSync(inTheWay);
  await publish().over;
  expect(readPublication(dataDir)).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^Nothing was published: .*Your words are still here\./),
  });
  expect(readdirSync(join(dataDir, 'sites')), 'no half of a site').toEqual(['last.json', 'publishing.lock']);
  expect(readdirSync(copy.folder)).toEqual(files);
});

test('what was live before the last twenty publishes can be gone back to', () => {
  const dataDir = makeFolder();
  for (let number = 10; number < 32; number += 1) {
    const folder = join(dataDir, `versions/2026-11-27T09-00-${number}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'version.json'), JSON.stringify({ until: '', changed: '' }));
  }
  removeOldVersions(dataDir);
  const names = listVersions(dataDir).map(({ name }) => name);
  expect(names).toHaveLength(20);
  expect([names[0], names.at(-1)]).toEqual(['2026-11-27T09-00-31', '2026-11-27T09-00-12']);
});
