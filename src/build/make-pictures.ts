import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { findPicture, MARK_FILES, PORTRAIT_FILES, PORTRAIT_SIZE, toMark } from '#content/pictures/picture-files.ts';
import { makeBrandColours } from '#content/brand/brand-colours.ts';
import type { HeaderMark, Portrait } from '#content/site-content.ts';
import type { Brand } from '#content/schemas/brand-schema.ts';
import { recolourDrawing, type Drawings } from './brand-drawings.ts';
import type { MadeFiles } from './made-files.ts';

/** The formats that browsers choose from, the smallest first. */
const FORMATS = [
  { format: 'avif', ending: '.avif', options: { quality: 55, effort: 2 } },
  { format: 'webp', ending: '.webp', options: { quality: 76 } },
  { format: 'jpeg', ending: '.jpg', options: { quality: 78, progressive: true } },
] as const;

/**
 * Makes the founder's portrait in the sizes and formats that browsers choose from: the photograph or, if there is
 * none, the drawing.
 * @param folder absolute path of content/
 * @param made receives the pictures
 */
export async function makePortrait(
  folder: string,
  brand: Brand,
  drawings: Drawings,
  made: MadeFiles,
): Promise<Portrait> {
  const photograph = findPicture(folder, PORTRAIT_FILES);
  if (photograph === undefined) {
    const drawing = Buffer.from(recolourDrawing('portrait', brand, drawings));
    const src = await made.add('portrait.svg', [drawing], () => drawing);
    return { src, sources: [], ...PORTRAIT_SIZE };
  }
  const widths = await choosePortraitWidths(photograph);
  const bytes = readFileSync(photograph);
  const background = readBackground(brand);
  const sources = await Promise.all(
    FORMATS.map(async ({ format, ending, options }) => {
      const add = async (width: number) => {
        const from = [bytes, width, background, format, options];
        const make = () => cropPortrait(photograph, width, brand).toFormat(format, options).toBuffer();
        return { width, src: await made.add(`portrait${ending}`, from, make) };
      };
      return { type: `image/${format}`, pictures: await Promise.all(widths.map(add)) };
    }),
  );
  return {
    src: sources.at(-1)!.pictures[0]!.src,
    sources: sources.map(({ type, pictures }) => ({
      type,
      srcSet: pictures.map(({ src, width }) => `${src} ${width}w`).join(', '),
    })),
    ...PORTRAIT_SIZE,
  };
}

/** Makes a portrait as `makePortrait` does, only in its largest size, for a preview. */
export async function makePreviewPortrait(photograph: Buffer, brand: Brand): Promise<Buffer> {
  const widths = await choosePortraitWidths(photograph);
  const { format, options } = FORMATS[2];
  return cropPortrait(photograph, widths.at(-1)!, brand).toFormat(format, options).toBuffer();
}

/** Every format has the same background behind a cut-out photograph. */
function cropPortrait(photograph: string | Buffer, width: number, brand: Brand): Sharp {
  const picture = sharp(photograph)
    .autoOrient()
    .resize({ ...toShape(width), fit: 'cover', position: 'attention' });
  return picture.flatten({ background: readBackground(brand) });
}

function readBackground(brand: Brand): string {
  return makeBrandColours(brand).brand.deep;
}

/** The mark's height in the header, in CSS pixels. */
const MARK_HEIGHT = 40;

/**
 * Makes the agency's own mark for the header.
 * @param folder absolute path of content/
 * @param made receives the picture
 */
export async function makeHeaderMark(folder: string, made: MadeFiles): Promise<HeaderMark | undefined> {
  const path = findPicture(folder, MARK_FILES);
  if (path === undefined) return undefined;
  const source = readFileSync(path);
  const isVector = path.endsWith('.svg');
  const { width, height } = await toMark(source, isVector);
  // Twice the displayed size, for high-density screens; an SVG needs no second size.
  const size = { height: 2 * MARK_HEIGHT };
  const make = () => (isVector ? source : sharp(source).resize(size).png().toBuffer());
  return { src: await made.add(basename(path), [source, size], make), ...fitHeader({ width, height }) };
}

/** @returns the size of a mark in the header, in CSS pixels */
export function fitHeader({ width, height }: { width: number; height: number }): { width: number; height: number } {
  return { width: Math.round((MARK_HEIGHT * width) / height), height: MARK_HEIGHT };
}

function toShape(width: number) {
  return { width, height: Math.round((width * PORTRAIT_SIZE.height) / PORTRAIT_SIZE.width) };
}

/**
 * For screens with a pixel density of 1, 1.5 and 2. A small photograph is only cropped, since enlarging it would add
 * bytes but no detail.
 */
async function choosePortraitWidths(photograph: string | Buffer): Promise<number[]> {
  const { autoOrient } = await sharp(photograph).metadata();
  const { width, height } = PORTRAIT_SIZE;
  const widest = Math.min(autoOrient.width, Math.floor((autoOrient.height * width) / height));
  return [...new Set([1, 1.5, 2].map((density) => Math.min(density * width, widest)))];
}
