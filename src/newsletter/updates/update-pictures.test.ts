import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openTestStore } from '../../../test/open-draft.ts';
import { readPicture, readPictureSizes } from './stored-pictures.ts';
import { savePicture } from './update-pictures.ts';

test('stores a dropped picture as emails show it, under a name based on the file’s', async () => {
  const store = await openTestStore();
  const save = (bytes: Uint8Array) => savePicture(store, new File([new Uint8Array(bytes)], 'Löhne 2026.JPG'));
  const photo = await sharp({ create: { width: 1500, height: 30, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const saved = await save(photo);
  expect(saved).toMatch(/^!\[Löhne 2026\]\(\/updates\/loehne-2026-[0-9a-f]{16}\.jpg\)$/);
  expect(await save(photo)).toBe(saved);
  const name = /loehne-.*\.jpg/.exec(saved)![0];
  expect(await sharp(await readPicture(store.db, name)).metadata()).toMatchObject({ format: 'jpeg', width: 1200 });
  expect(await readPictureSizes(store.db, [name])).toEqual(new Map([[name, { width: 1200, height: 24 }]]));
});

test('names the file when it rejects one that isn’t a picture', async () => {
  const saving = savePicture(await openTestStore(), new File([new Uint8Array(Buffer.from('words'))], 'note.txt'));
  await expect(saving).rejects.toThrow(/^note\.txt: expected a picture: JPEG, PNG, GIF or WebP\.$/);
});
