import { wcagContrast } from 'culori';
import sharp from 'sharp';
import { makeBrandColours } from '#content/brand-colours.ts';
import { findPicture, MARK_FILES, PORTRAIT_FILES, PORTRAIT_SIZE } from '#content/pictures.ts';
import type { Brand } from '#shared/brand.ts';
import { nameFile } from '#content/read-content.ts';
import { type Finding, reportIf } from './finding.ts';

/**
 * Finds pictures that the site can show, and that may not look as their owner hopes.
 * @param folder absolute path of content/; the build has checked that its pictures can be read
 */
export async function checkPictures(folder: string, brand: Brand): Promise<Finding[]> {
  const portrait = findPicture(folder, PORTRAIT_FILES);
  const mark = findPicture(folder, MARK_FILES);
  return [
    ...(portrait === undefined ? [] : await checkPortrait(portrait)),
    ...(mark === undefined ? [] : await checkMark(mark, brand)),
  ].map((finding) => ({ ...finding, mayStay: true }));
}

/** Reports a photograph that is too small for the screens of most telephones. */
async function checkPortrait(path: string): Promise<Finding[]> {
  const { width, height } = (await sharp(path).metadata()).autoOrient;
  const [wide, high] = [2 * PORTRAIT_SIZE.width, 2 * PORTRAIT_SIZE.height];
  const problem = `this photograph has ${width}×${height} pixels, so it is soft on screens of double density`;
  const advice = `Use one of at least ${wide}×${high} if you have it.`;
  return reportIf(width < wide || height < high, nameFile(path), problem, advice);
}

/** Reports a mark that was made for a white ground, since the site shows it on the brand's `deep`. */
async function checkMark(path: string, brand: Brand): Promise<Finding[]> {
  const { deep } = makeBrandColours(brand).brand;
  const where = nameFile(path);
  const pixels = await readPixels(path);
  const corners = [0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1].map((at) => pixels[at]!);
  const isWhite = ({ r, g, b, alpha }: Pixel) => Math.min(r, g, b) > 0.92 && alpha > 0.9;
  if (corners.every(isWhite) && wcagContrast(corners[0]!, deep) > 1.2) {
    const problem = `this mark has a white ground, which is a white box on the header’s ${deep}`;
    return [{ where, problem, advice: 'Save it with a transparent ground, in colours for a dark one.' }];
  }
  const visible = pixels.filter(({ alpha }) => alpha > 0.5);
  const readable = visible.filter((pixel) => wcagContrast(pixel, deep) >= READABLE);
  const problem = `this mark is in colours for a white ground: on the header’s ${deep} it can hardly be seen`;
  const advice = 'Use its version for such grounds, which designers call reversed or negative.';
  return reportIf(readable.length < visible.length / 4, where, problem, advice);
}

/** The contrast that graphics need (WCAG 2.2, criterion 1.4.11). */
const READABLE = 3;

/** In pixels. */
const SIDE = 64;

type Pixel = { mode: 'rgb'; r: number; g: number; b: number; alpha: number };

/** The mark stretched to a square, each channel from 0 to 1. */
async function readPixels(path: string): Promise<Pixel[]> {
  const picture = sharp(path, { limitInputPixels: !path.endsWith('.svg') });
  const bytes = await picture.resize(SIDE, SIDE, { fit: 'fill' }).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  const channel = (index: number) => bytes[index]! / 255;
  return Array.from({ length: SIDE * SIDE }, (_, at) => ({
    mode: 'rgb',
    r: channel(4 * at),
    g: channel(4 * at + 1),
    b: channel(4 * at + 2),
    alpha: channel(4 * at + 3),
  }));
}
