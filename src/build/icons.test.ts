import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wcagContrast } from 'culori';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { type Mark, toMark } from '#content/pictures/picture-files.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { brand } from '../../test/test-content.ts';
import { explainMark, makeIconMark } from './icon-marks.ts';
import { drawIcons } from './icons.ts';

const svg = (shape: string, viewBox = '0 0 100 100') =>
  toMark(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${shape}</svg>`), true);

const RING = 'd="M50 8a42 42 0 1 0 .1 0zM50 30a20 20 0 1 1-.1 0z"';

describe.each([
  ['white', () => svg(`<path fill="#fff" ${RING}/>`)],
  ['black through currentColor', () => svg(`<path fill="currentColor" ${RING}/>`)],
  ['in the site’s main colour', () => svg(`<path fill="#0d3b38" ${RING}/>`)],
  ['orange', () => svg(`<path fill="#f6b24a" ${RING}/>`)],
  ['wide', () => svg('<path fill="#fff" d="M0 0h500v100H0zM20 20v60h60V20z"/>', '0 0 500 100')],
])('a mark that is %s', (_, draw) => {
  test.each(['#ffffff', '#000000'])('is visible on a tab of colour %s', async (tab) => {
    const folder = await draw().then(drawFolder);
    for (const file of ['favicon.svg', 'icon-192.png'])
      expect(await measureVisibility(folder, file, tab)).toBeGreaterThan(0.1);
  });

  test('is visible on the icons that phones crop', async () => {
    const folder = await draw().then(drawFolder);
    for (const file of ['apple-touch-icon.png', 'icon-maskable-512.png']) {
      const { dominant } = await sharp(join(folder, file)).stats();
      const { r, g, b } = dominant;
      const ground = `#${[r, g, b].map((each) => each.toString(16).padStart(2, '0')).join('')}`;
      expect(await measureVisibility(folder, file, ground)).toBeGreaterThan(0.03);
    }
  });
});

test('leaves a square mark unchanged if it is visible everywhere', async () => {
  const mark = await svg(
    '<rect width="100" height="100" rx="20" fill="#0d3b38"/><circle cx="50" cy="50" r="20" fill="#fff"/>',
  );
  expect(readFileSync(join(await drawFolder(mark), 'favicon.svg'))).toEqual(mark.source);
});

test('uses a square mark that follows the browser’s colour scheme unchanged', async () => {
  const mark = await svg(
    `<style>path{fill:#000}@media (prefers-color-scheme:dark){path{fill:#fff}}</style><path ${RING}/>`,
  );
  expect(readFileSync(join(await drawFolder(mark), 'favicon.svg'))).toEqual(mark.source);
});

test.each([
  [
    'wide',
    'Ørsted',
    '<path fill="#fff" d="M0 0h300v100H0z"/>',
    '0 0 300 100',
    'too wide .* the first letter of your name',
  ],
  ['narrow', 'Жуков', '<path fill="#fff" d="M0 0h100v300H0z"/>', '0 0 100 300', 'too narrow .* the first letter of'],
  ['wide, with a name that no font has', '東京', '<path d="M0 0h300v9H0z"/>', '0 0 300 9', 'show it very small'],
  ['small in its picture', 'A', '<circle fill="#fff" cx="50" cy="50" r="9"/>', undefined, 'Crop the empty space'],
  ['thin', 'A', '<circle fill="none" stroke="#fff" stroke-width=".3" cx="50" cy="50" r="45"/>', undefined, 'too thin'],
  ['pale', 'A', `<path opacity=".1" fill="#fff" ${RING}/>`, undefined, 'too pale'],
  ['dark', 'A', `<path fill="#000" ${RING}/>`, undefined, 'hard to see on the header'],
  ['fine', 'A', `<path fill="#fff" ${RING}/>`, undefined, '^undefined$'],
])('explains to the owner what can’t be drawn from a mark that is %s', async (_, name, shape, viewBox, sentence) => {
  expect(String(await explainMark(await svg(shape, viewBox), name, brand))).toMatch(new RegExp(sentence));
});

test('writes favicon.ico with 16, 32 and 48 pixels', async () => {
  const folder = await drawFolder(await svg(`<path fill="#c00" ${RING}/>`));
  const ico = readFileSync(join(folder, 'favicon.ico'));
  const sizes = Array.from({ length: ico.readUInt16LE(4) }, async (_, index) => {
    const [length, start] = [ico.readUInt32LE(6 + 16 * index + 8), ico.readUInt32LE(6 + 16 * index + 12)];
    return (await sharp(ico.subarray(start, start + length)).metadata()).width;
  });
  expect((await Promise.all(sizes)).toSorted((a, b) => a - b)).toEqual([16, 32, 48]);
});

async function drawFolder(own: Mark): Promise<string> {
  const folder = makeFolder();
  const icon = await makeIconMark(own, 'Ørsted & Co', brand);
  await drawIcons(folder, { icon, favicon: icon, mailMark: own, colours: { deep: '#0d3b38', ink: '#12211f' } });
  return folder;
}

/** @returns the share of an icon's pixels that have a contrast of at least 3 to the background */
async function measureVisibility(folder: string, file: string, ground: string): Promise<number> {
  const { data } = await sharp(join(folder, file), { density: 200 })
    .resize(64, 64)
    .flatten({ background: ground })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = Array.from({ length: data.length / 3 }, (_, at) => [...data.subarray(3 * at, 3 * at + 3)]);
  const seen = pixels.filter(([r = 0, g = 0, b = 0]) => {
    return wcagContrast({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 }, ground) >= 3;
  });
  return seen.length / pixels.length;
}
