import { relative } from 'node:path';
import { wcagContrast } from 'culori';
import sharp from 'sharp';
import { brandColours } from '#content/brand-colours.ts';
import { findPicture, MARK_FILES } from '#content/pictures.ts';
import type { Brand } from '#shared/brand.ts';
import type { Finding } from './finding.ts';

/**
 * A mark that was made for a white ground: the site shows it on the brand's `deep`.
 * @param folder absolute path of content/, whose pictures can be read
 */
export async function checkMark(folder: string, brand: Brand): Promise<Finding[]> {
  const path = findPicture(folder, MARK_FILES);
  if (path === undefined) return [];
  const { deep } = brandColours(brand).brand;
  const where = relative(process.cwd(), path);
  const pixels = await readPixels(path);
  const corners = [0, SIDE - 1, SIDE * (SIDE - 1), SIDE * SIDE - 1].map((at) => pixels[at]!);
  const isWhite = ({ r, g, b, alpha }: Pixel) => Math.min(r, g, b) > 0.92 && alpha > 0.9;
  if (corners.every(isWhite) && wcagContrast(corners[0]!, deep) > 1.2) {
    const problem = `this mark has a white ground, which is a white box on the header's ${deep}`;
    return [{ where, problem, advice: 'Save it with a transparent ground, in colours for a dark one.', mayStay: true }];
  }
  const visible = pixels.filter(({ alpha }) => alpha > 0.5);
  const readable = visible.filter((pixel) => wcagContrast(pixel, deep) >= READABLE);
  if (visible.length === 0 || readable.length >= visible.length / 4) return [];
  const problem = `this mark is in colours for a white ground: on the header's ${deep} it can hardly be seen`;
  const advice = 'Use its version for such grounds, which designers call reversed or negative.';
  return [{ where, problem, advice, mayStay: true }];
}

/** Of graphics (WCAG 2.2, criterion 1.4.11). */
const READABLE = 3;

/** In pixels. */
const SIDE = 64;

type Pixel = { mode: 'rgb'; r: number; g: number; b: number; alpha: number };

/** The mark stretched to a square, each channel from 0 to 1. */
async function readPixels(path: string): Promise<Pixel[]> {
  const picture = sharp(path, { limitInputPixels: !path.endsWith('.svg') });
  const bytes = await picture.resize(SIDE, SIDE, { fit: 'fill' }).toColourspace('srgb').ensureAlpha().raw().toBuffer();
  return Array.from({ length: SIDE * SIDE }, (_, at) => {
    const [r, g, b, alpha] = [...bytes.subarray(4 * at, 4 * at + 4)].map((each) => each / 255) as [
      number,
      number,
      number,
      number,
    ];
    return { mode: 'rgb', r, g, b, alpha };
  });
}
