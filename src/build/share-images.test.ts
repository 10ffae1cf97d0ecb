import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { toMark } from '#content/pictures/picture-files.ts';
import { brand as testBrand } from '../../test/test-content.ts';
import { collectFiles } from './made-files.ts';
import { drawShareImages } from './share-images.ts';

// Each draws several pictures, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

test('keeps a long headline, capitals and a long word above the mark, and left of the dots', async () => {
  const headlines = [
    'Commercial leadership for software companies '.repeat(4).slice(0, 150),
    'COMMERCIAL LEADERSHIP FOR SOFTWARE COMPANIES '.repeat(2).slice(0, 72),
    'Donaudampfschifffahrtsgesellschaftskapitänsstellvertreter',
  ];
  const [nothing, ...pictures] = await drawAll(['', ...headlines]);
  for (const pixels of pictures) {
    const drawn = [...pixels.keys()].filter((at) => Math.abs(pixels[at]! - nothing![at]!) > 60);
    expect(Math.max(...drawn.map((at) => Math.floor(at / 1200)))).toBeLessThan(512);
    expect(Math.max(...drawn.map((at) => at % 1200))).toBeLessThanOrEqual(80 + 620);
  }
});

test('draws letters that the brand’s fonts lack with other fonts, and leaves out and names those that no font has', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const [one, other] = [await draw('Москва'), await draw('Жоскще')];
  expect(warn).not.toHaveBeenCalled();
  // Boxes would all look the same.
  expect(one.equals(other)).toBe(false);
  const [without, withEmoji] = [await draw('Now'), await draw('Now🎉')];
  expect(withEmoji.equals(without)).toBe(true);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('leave out 🎉'));
});

async function draw(headline: string): Promise<Buffer> {
  return (await drawAll([headline]))[0]!;
}

/** Draws a picture for each headline. */
async function drawAll(headlines: string[]): Promise<Buffer[]> {
  const mark = await toMark(readFileSync(new URL('../layout/mark.svg', import.meta.url)), true);
  const brand = { ...testBrand, fonts: { headings: 'newsreader', text: 'figtree' }, nameBesideMark: true };
  const made = collectFiles();
  const pages = headlines.map((headline, index) => ({ path: `/${index}`, share: { eyebrow: '', headline } }));
  const drawn = await drawShareImages(made, pages, { agencyName: '', mark, brand });
  const files = Object.values(drawn).map((url) => made.files.get(url.slice(1)));
  return Promise.all(files.map((file) => sharp(file).greyscale().raw().toBuffer()));
}
