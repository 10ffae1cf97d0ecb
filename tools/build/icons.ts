import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Mark } from '#content/pictures.ts';

/** `bleed` is how much of each side is background: an icon that a system cuts to a shape of its own needs some. */
const ICONS = [
  { file: 'apple-touch-icon.png', size: 180, bleed: 0.04 },
  { file: 'icon-192.png', size: 192, bleed: undefined },
  { file: 'icon-512.png', size: 512, bleed: undefined },
  { file: 'icon-maskable-512.png', size: 512, bleed: 0.1 },
];

/**
 * Draws the icons from the site's own mark, each square whatever the mark's shape.
 * @param folder the built site, which gets the icons
 * @param look.background fills an icon to its edge where a system cuts it to shape
 */
export async function drawIcons(folder: string, look: { mark: Mark; background: string }): Promise<void> {
  await Promise.all([
    writeFile(join(folder, 'favicon.svg'), tabIcon(look.mark)),
    ...ICONS.map(({ file, size, bleed }) => {
      const source = bleed === undefined ? square(look.mark) : square(look.mark, { ...look, bleed });
      // At 72 dots an inch a unit of the drawing is a pixel.
      const drawn = sharp(Buffer.from(source), { density: (72 * size) / SIDE });
      return drawn.resize(size, size).png().toFile(join(folder, file));
    }),
  ]);
  const small = sharp(Buffer.from(square(look.mark)), { density: (72 * ICO_SIZE) / SIDE }).resize(ICO_SIZE, ICO_SIZE);
  await writeFile(join(folder, 'favicon.ico'), ico(await small.png().toBuffer()));
}

/** A square drawing is the icon as it is: to draw one within another, a browser sets up two documents at each visit. */
function tabIcon(mark: Mark): string | Buffer {
  return mark.isVector && mark.width === mark.height ? mark.source : square(mark);
}

/** Browsers and crawlers that read no link ask for `/favicon.ico`. */
const ICO_SIZE = 32;

/** One PNG as an ICO file: a header, an entry of a directory, the picture (the ICO format since Windows Vista). */
function ico(png: Buffer): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(ICO_SIZE, 6);
  header.writeUInt8(ICO_SIZE, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.byteLength, 14);
  header.writeUInt32LE(header.byteLength, 18);
  return Buffer.concat([header, png]);
}

/** Of the drawing, in its own units. */
const SIDE = 100;

/** As a picture within a picture: whatever a drawing program wrote stays as it is. */
function square({ address }: Mark, ground?: { background: string; bleed: number }): string {
  const [place, size] = ground ? [ground.bleed * 100, (1 - 2 * ground.bleed) * 100] : [0, 100];
  const rect = ground ? `<rect width="100" height="100" fill="${ground.background}"/>` : '';
  const image = `<image href="${address}" x="${place}" y="${place}" width="${size}" height="${size}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${rect}${image}</svg>`;
}
