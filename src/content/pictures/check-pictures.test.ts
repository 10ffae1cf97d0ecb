import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp, { type FormatEnum } from 'sharp';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { findPictureErrors } from './check-pictures.ts';

const SHAPE = '<path d="M0 0h100v100H0z"/>';
const XML = 'xmlns="http://www.w3.org/2000/svg"';
const drawing = (inner: string, attributes = 'viewBox="0 0 100 100"') =>
  `<svg ${XML} ${attributes}>${inner}${SHAPE}</svg>`;

/** Files as drawing programs write them. */
const INKSCAPE = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!ENTITY ns_svg "http://www.w3.org/2000/svg">
]>
<!-- Its <text> is in paths now -->
<svg
   id="svg5" width="120mm" height="24mm" viewBox="0 0 120 24"
   xmlns:xlink="http://www.w3.org/1999/xlink" ${XML}>
  <style>.a { fill: url(#g); } .b { filter: url("#f"); }</style>
  <defs><linearGradient id="g" /><path id="p" d="M0 0h9v9H0z" /></defs>
  <use xlink:href="#p" class="a" /><image href="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="1" height="1" />
</svg>`;

test.each<[string, Record<string, string | Promise<Buffer>>]>([
  ['a drawing with everything that drawing programs write', { 'mark.svg': INKSCAPE }],
  ['a PNG of 512 pixels on its longer side', { 'mark.png': picture(512, 100) }],
  ['a photograph of any size', { 'portrait.jpg': picture(40, 40, 'jpeg') }],
  ['other files', { 'agency.yaml': '', 'marketing.md': '' }],
])('accepts %s', async (_, files) => {
  expect(await findErrors(files)).toEqual([]);
});

const NO_DRAWING = 'this drawing cannot be read. Save it again as "Plain SVG", or ';
const NO_PICTURE = 'this picture cannot be read. Open it in an image editor and save it as ';
const LETTERS = 'its letters are text, which looks different on every machine. ';
const FETCHES = 'this drawing fetches a picture or a font from another file, ';
const UNSCALED = 'this drawing cannot be scaled, since it has no "viewBox". ';

test.each<[string, string, string | Promise<Buffer>, string]>([
  ['an empty drawing', 'mark.svg', '', NO_DRAWING],
  ['a photograph under the name of a drawing', 'mark.svg', picture(600, 600), NO_DRAWING],
  ['a compressed drawing', 'mark.svg', Promise.resolve(gzipSync(drawing(''))), NO_DRAWING],
  [
    'an entity that reads a file',
    'mark.svg',
    `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hosts">]>${drawing('<desc>&a;</desc>')}`,
    NO_DRAWING,
  ],
  ['letters', 'mark.svg', drawing('<text y="9">A</text>'), LETTERS],
  [
    'letters with a prefix',
    'mark.svg',
    drawing('<s:text>A</s:text>', 'viewBox="0 0 9 9" xmlns:s="http://www.w3.org/2000/svg"'),
    LETTERS,
  ],
  ['flowed text from Inkscape', 'mark.svg', drawing('<flowRoot><flowPara>A</flowPara></flowRoot>'), LETTERS],
  ['a picture from elsewhere', 'mark.svg', drawing('<image href="https://elsewhere.test/a.png" />'), FETCHES],
  ['a font from elsewhere', 'mark.svg', drawing('<style>@import "https://fonts.test/a.css";</style>'), FETCHES],
  ['a style with an address', 'mark.svg', drawing("<style>g { fill: url('a.svg#b') }</style>"), FETCHES],
  ['no area', 'mark.svg', drawing('', 'width="100" height="50"'), UNSCALED],
  ['a pixel too few', 'mark.png', picture(511, 511), 'this picture has 511×511 pixels. Save it with at least 512 '],
  ['a JPEG under the name of a PNG', 'mark.png', picture(600, 600, 'jpeg'), NO_PICTURE],
  ['half a photograph', 'portrait.jpg', half(), NO_PICTURE],
])('rejects %s, and says what to do', async (_, file, content, message) => {
  expect(await findErrors({ [file]: content })).toEqual([expect.stringContaining(`${file}: ${message}`)]);
});

test('rejects two marks or two portraits', async () => {
  const both = { 'mark.svg': drawing(''), 'mark.png': picture(600, 600) };
  expect(await findErrors(both)).toEqual([expect.stringContaining('mark.png: mark.svg is there too, and is the one ')]);
});

async function findErrors(files: Record<string, string | Promise<Buffer>>): Promise<string[]> {
  const folder = makeFolder();
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), await content);
  return findPictureErrors(folder);
}

async function picture(width: number, height: number, format: keyof FormatEnum = 'png'): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#123456', noise } })
    .toFormat(format)
    .toBuffer();
}

async function half(): Promise<Buffer> {
  const whole = await picture(600, 800, 'jpeg');
  return whole.subarray(0, whole.length / 2);
}
