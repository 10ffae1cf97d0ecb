import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Renderer } from '@takumi-rs/core';
import sharp from 'sharp';
import type { Mark } from '#content/pictures/picture-files.ts';

/**
 * `bleed` is how many hundredths of each side are background: an icon that a system crops to its own shape needs
 * some. Browsers and crawlers that read no link ask for `/favicon.ico`.
 */
const ICONS = [
  { file: 'favicon.ico', size: 32, bleed: 0 },
  { file: 'apple-touch-icon.png', size: 180, bleed: 4 },
  { file: 'icon-192.png', size: 192, bleed: 0 },
  { file: 'icon-512.png', size: 512, bleed: 0 },
  { file: 'icon-maskable-512.png', size: 512, bleed: 10 },
];

type IconLook = { mark: Mark; favicon: Mark; mailMark: Mark; background: string };

/**
 * Draws the icons from the site's own mark, each square for a mark of any shape, and the mark itself for mails.
 * @param folder the built site, which gets the icons
 * @param look.favicon the mark for a browser's tab, at 16 to 32 pixels
 * @param look.background fills an icon to its edge if a system crops it
 */
export async function drawIcons(folder: string, look: IconLook) {
  const { mark, favicon, mailMark, background } = look;
  // A square drawing is used as it is: one SVG within another would make browsers set up two documents at each visit.
  const isIcon = favicon.isVector && favicon.width === favicon.height;
  await writeFile(join(folder, 'favicon.svg'), isIcon ? favicon.source : drawSquare(favicon));
  for (const { file, size, bleed } of ICONS) {
    const drawing = drawSquare(file === 'favicon.ico' ? favicon : mark, bleed, bleed > 0 ? background : 'none');
    // At 72 dots an inch a unit of the drawing is a pixel.
    const png = await sharp(Buffer.from(drawing), { density: (72 * size) / 100 })
      .resize(size, size)
      .png()
      .toBuffer();
    await writeFile(join(folder, file), file.endsWith('.ico') ? await toIco(png, size) : png);
  }
  await writeFile(join(folder, 'mark.png'), await drawForMails(mailMark));
}

/** A drawing of 100 by 100 units with a picture in it: the picture's own file is embedded unchanged. */
function drawSquare({ url }: Mark, bleed = 0, background = 'none'): string {
  const size = 100 - 2 * bleed;
  const image = `<image href="${url}" x="${bleed}" y="${bleed}" width="${size}" height="${size}"/>`;
  const ground = `<rect width="100" height="100" fill="${background}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${ground}${image}</svg>`;
}

/** In pixels: three times the height that mails show. A wide mark is at most six times as wide. */
const MAIL_MARK_HEIGHT = 96;

function drawForMails({ source, isVector, height }: Mark): Promise<Buffer> {
  const density = isVector ? Math.min((72 * MAIL_MARK_HEIGHT) / height, MAX_DENSITY) : 72;
  return sharp(source, { density, limitInputPixels: !isVector })
    .resize({ height: MAIL_MARK_HEIGHT, width: 6 * MAIL_MARK_HEIGHT, fit: 'inside' })
    .png()
    .toBuffer();
}

/** In dots an inch: the most that sharp takes. */
const MAX_DENSITY = 100_000;

function toIco(png: Uint8Array, size: number): Promise<Uint8Array> {
  return new Renderer().render({ type: 'image', src: png }, { width: size, height: size, format: 'ico' });
}
