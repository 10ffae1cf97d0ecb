import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Mark } from '#content/pictures/picture-files.ts';
import { chooseGround, type IconGround, MAX_DENSITY } from './icon-marks.ts';

/** `bleed` is the percentage of each side that is background, since systems crop these icons to their own shape. */
const CROPPED_ICONS = [
  { file: 'apple-touch-icon.png', size: 180, bleed: 4 },
  { file: 'icon-maskable-512.png', size: 512, bleed: 10 },
];

/** Larger than 48 by 48 pixels, as Google recommends for icons next to search results. */
const ICONS = [
  { file: 'icon-192.png', size: 192 },
  { file: 'icon-512.png', size: 512 },
];

/** The sizes in `favicon.ico`, which browsers and crawlers request if they read no link; old Macs use the first. */
const ICO_SIZES = [48, 32, 16];

/** The colours are hexadecimal, such as `#0d3b38`. */
type IconLook = { icon: Mark; favicon: Mark; mailMark: Mark; colours: { deep: string; ink: string } };

/**
 * Draws the icons from the site's mark: square, whatever its shape, and visible on any background. Also draws the mark
 * itself for emails.
 * @param folder the built site, which gets the icons
 * @param look.icon the mark for large icons
 * @param look.favicon the mark for a browser's tab, at 16 to 32 pixels
 */
export async function drawIcons(folder: string, look: IconLook) {
  const { icon, favicon, mailMark, colours } = look;
  const candidates = [colours.deep, '#ffffff', colours.ink];
  const [ground, tabGround] = [await chooseGround(icon, candidates), await chooseGround(favicon, candidates)];
  // A square drawing is used as it is: one SVG within another would make browsers set up two documents at each visit.
  const isIcon = favicon.isVector && favicon.width === favicon.height && !tabGround.isNeededInTabs;
  const tab = drawForTabs(favicon, tabGround);
  await writeFile(join(folder, 'favicon.svg'), isIcon ? favicon.source : tab);
  await writeFile(join(folder, 'favicon.ico'), toIco(await Promise.all(ICO_SIZES.map((size) => toPng(tab, size)))));
  for (const { file, size } of ICONS) await writeFile(join(folder, file), await toPng(drawForTabs(icon, ground), size));
  for (const { file, size, bleed } of CROPPED_ICONS) {
    const drawing = drawSquare(icon, bleed, `<rect width="100" height="100" fill="${ground.colour}"/>`);
    await writeFile(join(folder, file), await toPng(drawing, size));
  }
  await writeFile(join(folder, 'mark.png'), await drawForMails(mailMark));
}

/** Adds a rounded background if a white or black tab would hide the mark. */
function drawForTabs(mark: Mark, { colour, isNeededInTabs }: IconGround): string {
  if (!isNeededInTabs) return drawSquare(mark);
  return drawSquare(mark, 14, `<rect width="100" height="100" rx="22" fill="${colour}"/>`);
}

/** Draws 100 by 100 units with a picture in them; the picture's file is embedded unchanged. */
function drawSquare({ url }: Mark, bleed = 0, ground = ''): string {
  const size = 100 - 2 * bleed;
  const image = `<image href="${url}" x="${bleed}" y="${bleed}" width="${size}" height="${size}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${ground}${image}</svg>`;
}

/** At 72 dots per inch, a unit of the drawing is a pixel. */
function toPng(drawing: string, size: number): Promise<Buffer> {
  return sharp(Buffer.from(drawing), { density: (72 * size) / 100 })
    .resize(size, size)
    .png()
    .toBuffer();
}

/** In pixels: three times the mark's height in emails. A wide mark is at most six times as wide as high. */
const MAIL_MARK_HEIGHT = 96;

function drawForMails({ source, isVector, height }: Mark): Promise<Buffer> {
  const density = isVector ? Math.min((72 * MAIL_MARK_HEIGHT) / height, MAX_DENSITY) : 72;
  return sharp(source, { density, limitInputPixels: !isVector })
    .resize({ height: MAIL_MARK_HEIGHT, width: 6 * MAIL_MARK_HEIGHT, fit: 'inside' })
    .png()
    .toBuffer();
}

/**
 * Packs PNGs into one icon file: a header, an entry of 16 bytes for each, then their bytes.
 * Source: en.wikipedia.org/wiki/ICO_(file_format).
 */
function toIco(pictures: Buffer[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, picture] of pictures.entries()) {
    const entry = 6 + 16 * index;
    header.writeUInt8(ICO_SIZES[index]!, entry);
    header.writeUInt8(ICO_SIZES[index]!, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(picture.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += picture.length;
  }
  return Buffer.concat([header, ...pictures]);
}
