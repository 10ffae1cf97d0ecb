import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { savePicture } from './update-pictures.ts';

const save = (folder: string, bytes: Uint8Array, name: string) =>
  savePicture({ pictures: [join(folder, 'public'), join(folder, 'site')] }, new File([new Uint8Array(bytes)], name));

test('a dropped picture is saved for the next build and the preview, and replaces none', async () => {
  const folder = makeFolder();
  const photo = await sharp({ create: { width: 1500, height: 30, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  expect(await save(folder, photo, 'Löhne 2026.JPG')).toBe('![Löhne 2026](/updates/lohne-2026.jpg)');
  expect(await save(folder, photo, 'Löhne 2026.JPG')).toBe('![Löhne 2026](/updates/lohne-2026-2.jpg)');
  for (const file of ['public/updates/lohne-2026-2.jpg', 'site/updates/lohne-2026-2.jpg']) {
    expect(await sharp(join(folder, file)).metadata()).toMatchObject({ format: 'jpeg', width: 1200 });
  }
  expect(readdirSync(join(folder, 'site/updates')).toSorted()).toEqual(['lohne-2026-2.jpg', 'lohne-2026.jpg']);
});

test('a file that is not a picture is refused by name', async () => {
  const saving = save(makeFolder(), Buffer.from('words'), 'note.txt');
  await expect(saving).rejects.toThrow(/^note\.txt: expected a picture: JPEG, PNG, GIF or WebP\.$/);
});
