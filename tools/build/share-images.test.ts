import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { toMark } from '#content/pictures.ts';
import { content } from '../../test/test-content.ts';
import { drawShareImages } from './share-images.ts';

const mark = await toMark(fileURLToPath(new URL('../../public/favicon.svg', import.meta.url)));
const folders: string[] = [];
const nothing = await draw({});

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

test('a headline goes on in the next line where it would pass its width', async () => {
  const short = await shapeOf({ headline: 'Teams That' });
  const long = await shapeOf({ headline: 'Teams That Deliver Revenue' });
  expect(short.height).toBeLessThan(90);
  expect(long.height).toBeGreaterThan(150);
  expect(long.width).toBeLessThanOrEqual(620);
});

test('Cyrillic and Greek letters that the brand has not are drawn from the fonts in reserve', async () => {
  const shapes = await Promise.all(['Ж', 'Ш', 'Ω', 'Ψ'].map((headline) => draw({ headline })));
  expect(new Set(shapes.map((pixels) => pixels.toString('base64'))).size).toBe(4);
});

test('the reserve of the text is the one for text, whatever the headings wear', async () => {
  const [serif, sans] = await Promise.all(
    ['newsreader', 'source-sans-3'].map((headings) => draw({ eyebrow: 'Жук', headings })),
  );
  expect(serif!.equals(sans!)).toBe(true);
});

test('letters that are set apart are not joined, and those of the name are', async () => {
  // A non-joiner stands between letters that must not be joined.
  for (const [where, areSame] of [
    ['headline', true],
    ['agencyName', false],
  ] as const) {
    const [plain, parted] = await Promise.all(['fi', 'f\u200ci'].map((words) => draw({ [where]: words })));
    expect(plain!.equals(parted!)).toBe(areSame);
  }
});

async function draw(of: { headline?: string; eyebrow?: string; agencyName?: string; headings?: string }) {
  const { headline = '', eyebrow = '', agencyName = '', headings = 'newsreader' } = of;
  const brand = { ...content.brand, fonts: { headings, text: 'figtree' }, nameBesideMark: true };
  const folder = mkdtempSync(join(tmpdir(), 'share-'));
  folders.push(folder);
  mkdirSync(join(folder, 'assets'));
  const pages = [{ path: '/', share: { eyebrow, headline } }];
  const drawn = await drawShareImages(folder, pages, { agencyName, mark, brand });
  return sharp(folder + drawn['/']!)
    .greyscale()
    .raw()
    .toBuffer();
}

/** In pixels, of what is drawn for these words. */
async function shapeOf(of: Parameters<typeof draw>[0]) {
  const pixels = await draw(of);
  const drawn = [...pixels.keys()].filter((at) => Math.abs(pixels[at]! - nothing[at]!) > 60);
  const [xs, ys] = [drawn.map((at) => at % 1200), drawn.map((at) => Math.floor(at / 1200))];
  const extent = (places: number[]) => Math.max(...places) - Math.min(...places);
  return { width: extent(xs), height: extent(ys) };
}
