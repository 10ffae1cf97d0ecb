import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readNewestNumber, readVersion } from '#publishing/content-versions.ts';
import { changeDraft, readDraft } from '#publishing/content-drafts.ts';
import { copyContentForEachTest } from '../../../test/content-copy.ts';
import { openDraftForEachTest } from '../../../test/open-draft.ts';
import { readFields, toOverlay } from './draft.ts';
import { writeIntoFiles } from './write-into-files.ts';

const copy = copyContentForEachTest();
const open = openDraftForEachTest(() => copy.folder);

test('writes only the changed lines into the files, keeps their comments, and leaves no overlay', async () => {
  copy.change('faq.yaml', /(?=^heading: )/m, '# Ask Morag before you change it.\n');
  const before = readFileSync(join(copy.folder, 'faq.yaml'), 'utf8').split('\n');
  const { store } = await open();
  await changeDraft(store, '', () => ({ 'faq.heading': { value: 'New words', base: '' } }));
  const site = await open();
  const fields = readFields(site).filter(({ isChanged }) => isChanged);
  await writeIntoFiles(copy.folder, toOverlay(site, fields), { site, fields });
  const after = readFileSync(join(copy.folder, 'faq.yaml'), 'utf8').split('\n');
  expect(after.filter((line, index) => line !== before[index])).toEqual([
    expect.stringMatching(/^heading: New words$/),
  ]);
  expect(after.length).toBe(before.length);
  expect((await readVersion(store.db, await readNewestNumber(store.db)))?.overlay).toEqual({});
  expect(await readDraft(store.db)).toEqual({});
});
