import { expect, test } from 'vitest';
import type { Store } from '#newsletter/database/open-store.ts';
import { readPicture, storePicture } from '#newsletter/updates/stored-pictures.ts';
import { changeDraft, readDraft } from '#publishing/content-drafts.ts';
import {
  addVersion,
  forgetVersion,
  listVersions,
  type NewVersion,
  NewerVersionError,
  readNewestNumber,
  readVersion,
} from '#publishing/content-versions.ts';
import { freshStore, onEachStore, openPlace } from '../setup/running-newsletter.ts';

const version: NewVersion = {
  overlay: { 'home.hero.headline': { value: 'New words', over: 'Old words' } },
  files: { 'home.yaml': 'hero: { headline: New words }' },
  git: 'abc',
  changed: 'changed: First screen',
  made_by: 'anna@example.org',
};
const add = (store: Store, after: number) => store.transaction((tx) => addVersion(tx, after, version));

onEachStore('the owner’s content', (name) => {
  const open = async () => openPlace(await freshStore(name));

  test('reads a version as it was published, and rejects one of two published at once', async () => {
    const store = await open();
    expect([await readNewestNumber(store.db), await readVersion(store.db, 0)]).toEqual([0, undefined]);
    const both = await Promise.allSettled([add(store, 0), add(store, 0)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: expect.any(NewerVersionError) });
    expect(await readVersion(store.db, 1)).toMatchObject(version);
    await add(store, 1);
    expect((await listVersions(store.db)).map(({ number }) => number)).toEqual([2, 1]);
    await forgetVersion(store, 1);
    expect(await readVersion(store.db, 1)).toBeUndefined();
    await expect(forgetVersion(store, 2)).rejects.toThrow('is the newest version');
  });

  test('keeps a hundred versions', async () => {
    const store = await open();
    for (let number = 0; number < 103; number += 1) await add(store, number);
    const numbers = (await listVersions(store.db)).map(({ number }) => number);
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([100, 103, 4]);
  });

  test('stores a draft field by field, and every change sees the one before', async () => {
    const store = await open();
    await Promise.all(
      ['one', 'two', 'three'].map((value) =>
        changeDraft(store, 'anna@example.org', (draft) => ({
          title: { value: [...((draft.title?.value as string[] | undefined) ?? []), value], base: '' },
        })),
      ),
    );
    const { title } = await readDraft(store.db);
    expect((title!.value as string[]).toSorted()).toEqual(['one', 'three', 'two']);
    expect(title).toMatchObject({ base: '', changedBy: 'anna@example.org' });
    await changeDraft(store, '', () => ({ title: { value: null, base: '', earlier: 'two' } }));
    expect((await readDraft(store.db)).title).toMatchObject({ value: null, earlier: 'two' });
    await changeDraft(store, '', () => ({ title: undefined }));
    expect(await readDraft(store.db)).toEqual({});
  });

  test('stores a picture unchanged, and rejects an empty one and one of 3 MB', async () => {
    const store = await open();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const size = { width: 1, height: 1 };
    await storePicture(store.db, 'a.png', { bytes, ...size });
    await storePicture(store.db, 'a.png', { bytes, ...size });
    expect(await readPicture(store.db, 'a.png')).toEqual(Buffer.from(bytes));
    expect(await readPicture(store.db, 'b.png')).toBeUndefined();
    await expect(storePicture(store.db, 'b.png', { bytes: new Uint8Array(0), ...size })).rejects.toThrow(/constraint/i);
    await expect(storePicture(store.db, 'b.png', { bytes: new Uint8Array(3e6), ...size })).rejects.toThrow('2 MB');
  });
});
