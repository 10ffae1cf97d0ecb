import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { cleanPictures } from './clean-public-pictures.ts';

const draw = (width: number) => sharp({ create: { width, height: 20, channels: 3, background: 'green' } });

test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
  'a %s of public/ doesn’t say where it was taken',
  async (format) => {
    const [folder, file] = [makeFolder(), `office.${format}`];
    const photo = await draw(1600)
      .withExif({ IFD0: { Model: 'Phone' } })
      .toFormat(format)
      .toBuffer();
    expect(photo.includes('Phone')).toBe(true);
    writeFileSync(join(folder, file), photo);
    await cleanPictures(folder, [file]);
    const cleaned = readFileSync(join(folder, file));
    expect(cleaned.includes('Phone')).toBe(false);
    expect(await sharp(cleaned).metadata()).toMatchObject({ width: 1200 });
  },
);

test('a picture that is stored sideways is rotated', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'a.jpg'), await draw(40).withMetadata({ orientation: 6 }).jpeg().toBuffer());
  await cleanPictures(folder, ['a.jpg']);
  expect(await sharp(join(folder, 'a.jpg')).metadata()).toMatchObject({ width: 20, height: 40 });
});

test('small pictures without metadata, and other files, stay as they are', async () => {
  const folder = makeFolder();
  const files = { 'small.png': await draw(40).png().toBuffer(), 'broken.jpg': Buffer.from('words') };
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, file), bytes);
  await cleanPictures(folder, Object.keys(files));
  for (const [file, bytes] of Object.entries(files)) expect(readFileSync(join(folder, file))).toEqual(bytes);
});
