import { crc32 } from 'node:zlib';
import sharp, { type Create } from 'sharp';
import { expect, test } from 'vitest';
import { cleanPicture } from './shrink-picture.ts';

const draw = (width: number, height: number, more: Partial<Create> = {}) =>
  sharp({ create: { width, height, channels: 3, background: '#c04020', ...more } });
const CLEAR = { channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } } as const;

/** A photo as a phone saves it: sideways, with its location. */
function takePhoto(): Promise<Buffer> {
  const place = { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' };
  return draw(2000, 1300)
    .jpeg()
    .withExif({ IFD3: place, IFD0: { Model: 'Phone' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

test('rotates and shrinks a phone photo, and removes its metadata', async () => {
  const photo = await takePhoto();
  expect(photo.includes('Phone')).toBe(true);
  const { bytes, ending } = await cleanPicture(photo);
  expect(ending).toBe('.jpg');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 1846 });
  const { exif, orientation, icc, xmp } = await sharp(bytes).metadata();
  expect([exif, orientation, icc, xmp]).toEqual([undefined, undefined, undefined, undefined]);
  expect(Buffer.from(bytes).includes('Phone')).toBe(false);
});

test.each([
  ['a photo for print', () => draw(40, 30).toColourspace('cmyk').jpeg().toBuffer(), '.jpg', 'jpeg'],
  ['a drawing with a transparent background', () => draw(40, 30, CLEAR).png().toBuffer(), '.png', 'png'],
  ['a GIF', () => draw(40, 30).gif().toBuffer(), '.png', 'png'],
  ['a transparent WebP', () => draw(40, 30, CLEAR).webp().toBuffer(), '.png', 'png'],
  ['an AVIF', () => draw(40, 30).avif().toBuffer(), '.jpg', 'jpeg'],
  ['a TIFF', () => draw(40, 30).tiff().toBuffer(), '.jpg', 'jpeg'],
  ['a 16-bit PNG', () => draw(40, 30).toColourspace('rgb16').png().toBuffer(), '.png', 'png'],
])('converts %s to a format that every email client shows', async (_, make, ending, format) => {
  const cleaned = await cleanPicture(await make());
  expect(cleaned.ending).toBe(ending);
  const found = await sharp(cleaned.bytes).metadata();
  expect(found).toMatchObject({ format, width: 40, height: 30, space: 'srgb', depth: 'uchar' });
});

test('converts a photo that was saved as a PNG to JPEG, which is a tenth of the size', async () => {
  const noise = await draw(500, 420, { noise: { type: 'gaussian', mean: 128, sigma: 30 } })
    .png()
    .toBuffer();
  expect((await cleanPicture(noise)).ending).toBe('.jpg');
});

/** A small PNG that claims a size. */
async function claimSize(side: number): Promise<Buffer> {
  const png = await draw(1, 1).png().toBuffer();
  png.writeUInt32BE(side, 16);
  png.writeUInt32BE(side, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

test.each([
  ['a phone’s HEIC', async () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), /HEIC.*Most Compatible/],
  ['an animated GIF', makeFrames, /animated/],
  ['a picture of too many pixels', () => claimSize(40_000), /at most 120 million pixels/],
  [
    'a drawing',
    async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    /expected a picture/,
  ],
  ['a text file', async () => Buffer.from('hello'), /expected a picture/],
  ['an empty file', async () => Buffer.alloc(0), /expected a picture/],
  ['half a photo', async () => (await takePhoto()).subarray(0, 9000), /cannot be read/],
])('explains why it rejects %s', async (_, make, sentence) => {
  await expect(cleanPicture(await make())).rejects.toThrow(sentence);
});

async function makeFrames(): Promise<Buffer> {
  const pngs = await Promise.all([draw(9, 9), draw(9, 9, { background: 'blue' })].map((each) => each.png().toBuffer()));
  return sharp(pngs, { join: { animated: true } })
    .gif({ delay: [90, 90] })
    .toBuffer();
}
