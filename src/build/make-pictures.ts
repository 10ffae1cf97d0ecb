import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { findPicture, MARK_FILES, PORTRAIT_FILES, PORTRAIT_SIZE, toMark } from '#content/pictures/picture-files.ts';
import { makeBrandColours } from '#content/brand/brand-colours.ts';
import type { HeaderMark, Portrait } from '#content/site-content.ts';
import type { Brand } from '#content/schemas/brand-schema.ts';
import { drawInBrand, type Drawings } from './brand-drawings.ts';

/** Pictures by their paths in the site. */
export type Files = Map<string, Uint8Array>;

/** The formats that browsers choose from, the smallest first. */
const FORMATS = {
  'image/avif': (picture: Sharp) => picture.avif({ quality: 55, effort: 2 }),
  'image/webp': (picture: Sharp) => picture.webp({ quality: 76 }),
  'image/jpeg': (picture: Sharp) => picture.jpeg({ quality: 78, progressive: true }),
};

const ENDINGS = { 'image/avif': '.avif', 'image/webp': '.webp', 'image/jpeg': '.jpg' };

/**
 * Makes the founder's photograph, or the drawing instead, in the sizes and formats that browsers choose from.
 * @param folder absolute path of content/
 * @param files gets the pictures
 */
export async function makePortrait(folder: string, brand: Brand, drawings: Drawings, files: Files): Promise<Portrait> {
  const photograph = findPicture(folder, PORTRAIT_FILES);
  if (photograph === undefined) {
    const drawing = Buffer.from(drawInBrand('portrait', brand, drawings));
    return { src: addPicture(files, 'portrait.svg', drawing), sources: [], ...PORTRAIT_SIZE };
  }
  const widths = await choosePortraitWidths(photograph);
  const sources = await Promise.all(
    Object.entries(FORMATS).map(async ([type, encode]) => {
      const pictures = await Promise.all(
        widths.map(async (width) => {
          return { width, bytes: await encode(cropPortrait(photograph, width, brand)).toBuffer() };
        }),
      );
      const ending = ENDINGS[type as keyof typeof ENDINGS];
      return {
        type,
        pictures: pictures.map(({ width, bytes }) => ({ width, src: addPicture(files, `portrait${ending}`, bytes) })),
      };
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

/** Makes a portrait as `makePortrait` does, in its largest size alone, for a preview. */
export async function makePreviewPortrait(photograph: Buffer, brand: Brand): Promise<Buffer> {
  const widths = await choosePortraitWidths(photograph);
  return FORMATS['image/jpeg'](cropPortrait(photograph, widths.at(-1)!, brand)).toBuffer();
}

/** Every format has the same background behind a cut-out photograph. */
function cropPortrait(photograph: string | Buffer, width: number, brand: Brand): Sharp {
  const picture = sharp(photograph)
    .autoOrient()
    .resize({ ...toShape(width), fit: 'cover', position: 'attention' });
  return picture.flatten({ background: makeBrandColours(brand).brand.deep });
}

/** The mark's height in the header, in CSS pixels. */
const MARK_HEIGHT = 40;

/**
 * Makes the agency's own mark for the header.
 * @param folder absolute path of content/
 * @param files gets the picture
 */
export async function makeHeaderMark(folder: string, files: Files): Promise<HeaderMark | undefined> {
  const path = findPicture(folder, MARK_FILES);
  if (path === undefined) return undefined;
  const source = readFileSync(path);
  const isVector = path.endsWith('.svg');
  const { width, height } = await toMark(source, isVector);
  // Twice the size shown, for screens of double density; an SVG needs no second size.
  const bytes = isVector
    ? source
    : await sharp(source)
        .resize({ height: 2 * MARK_HEIGHT })
        .png()
        .toBuffer();
  return {
    src: addPicture(files, basename(path), bytes),
    ...fitHeader({ width, height }),
  };
}

/** @returns the size of a mark in the header, in CSS pixels */
export function fitHeader({ width, height }: { width: number; height: number }): { width: number; height: number } {
  return { width: Math.round((MARK_HEIGHT * width) / height), height: MARK_HEIGHT };
}

function toShape(width: number) {
  return { width, height: Math.round((width * PORTRAIT_SIZE.height) / PORTRAIT_SIZE.width) };
}

/**
 * For screens of single, one and a half and double density. A small photograph is cropped and otherwise keeps
 * its size: enlarging adds bytes and no detail.
 */
async function choosePortraitWidths(photograph: string | Buffer): Promise<number[]> {
  const { autoOrient } = await sharp(photograph).metadata();
  const { width, height } = PORTRAIT_SIZE;
  const widest = Math.min(autoOrient.width, Math.floor((autoOrient.height * width) / height));
  return [...new Set([1, 1.5, 2].map((density) => Math.min(density * width, widest)))];
}

/** @returns the picture's URL, with its hash in its name */
export function addPicture(files: Files, name: string, bytes: Uint8Array): string {
  const ending = extname(name);
  const path = `assets/${basename(name, ending)}-${hash('sha256', bytes).slice(0, 8)}${ending}`;
  files.set(path, bytes);
  return `/${path}`;
}
