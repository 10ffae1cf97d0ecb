import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { type Mark, toMark } from '#content/pictures/picture-files.ts';
import { brand as testBrand } from '../../test/test-content.ts';
import { collectFiles } from './made-files.ts';
import { drawShareImages } from './share-images.ts';

// Each draws several pictures, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const designMark = await toMark(readFileSync(new URL('../layout/mark.svg', import.meta.url)), true);

test('sets a long line above the headline in smaller letters, so that they don’t overlap', async () => {
  const eyebrow = 'The Partnership of Anna Weatherington-Smythe and Benedict Featherstonehaugh Limited, in Scotland';
  const [nothing, pixels] = [await draw({}), await draw({ eyebrow })];
  const drawn = [...pixels.keys()].filter((at) => Math.abs(pixels[at]! - nothing[at]!) > 60);
  expect(Math.max(...drawn.map((at) => Math.floor(at / 1200)))).toBeLessThan(132);
});

test('keeps a long headline, capitals and a long word above the mark, and left of the dots', async () => {
  const headlines = [
    'Commercial leadership for software companies '.repeat(4).slice(0, 150),
    'COMMERCIAL LEADERSHIP FOR SOFTWARE COMPANIES '.repeat(2).slice(0, 72),
    'Donaudampfschifffahrtsgesellschaftskapitänsstellvertreter',
    'Commercial leadership for software companies '.repeat(8).slice(0, 340),
  ];
  const [nothing, ...pictures] = await drawAll({}, ['', ...headlines]);
  for (const pixels of pictures) {
    const drawn = [...pixels.keys()].filter((at) => Math.abs(pixels[at]! - nothing![at]!) > 60);
    expect(Math.max(...drawn.map((at) => Math.floor(at / 1200)))).toBeLessThan(512);
    expect(Math.max(...drawn.map((at) => at % 1200))).toBeLessThanOrEqual(80 + 620);
  }
});

test('draws letters that the brand’s fonts lack with other fonts, and leaves out and names those that no font has', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const [one, other] = [await draw({ headline: 'Москва' }), await draw({ headline: 'Жоскще' })];
  expect(warn).not.toHaveBeenCalled();
  // Boxes would all look the same.
  expect(one.equals(other)).toBe(false);
  const [without, withEmoji] = [await draw({ headline: 'Now here' }), await draw({ headline: 'Now 👩‍💻 here ⚙️₿' })];
  expect(withEmoji.equals(without)).toBe(true);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('leave out 👩 💻 ⚙ ₿: none'));
});

test('draws a combining accent as part of its letter', async () => {
  const [one, other] = [await draw({ headline: 'Cafe\u0301' }), await draw({ headline: 'Café' })];
  expect(one.equals(other)).toBe(true);
});

type Drawn = { headline?: string; eyebrow?: string; agencyName?: string; headings?: string; mark?: Mark };

async function draw({ headline = '', ...of }: Drawn) {
  const [drawn] = await drawAll(of, [headline]);
  return drawn!;
}

/** Draws a picture for each headline. */
async function drawAll(of: Omit<Drawn, 'headline'>, headlines: string[]) {
  const { eyebrow = '', agencyName = '', headings = 'newsreader', mark = designMark } = of;
  const brand = { ...testBrand, fonts: { headings, text: 'figtree' }, nameBesideMark: true };
  const made = collectFiles();
  const pages = headlines.map((headline, index) => ({ path: `/${index}`, share: { eyebrow, headline } }));
  const drawn = await drawShareImages(made, pages, { agencyName, mark, brand });
  const read = (url: string) =>
    sharp(made.files.get(url.slice(1)))
      .greyscale()
      .raw()
      .toBuffer();
  return Promise.all(Object.values(drawn).map(read));
}
