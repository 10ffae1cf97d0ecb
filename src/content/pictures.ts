import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import sharp from 'sharp';

/** What the owner may drop into content/ as the founder's portrait. */
export const PORTRAIT_FILES = ['portrait.jpg', 'portrait.jpeg', 'portrait.png', 'portrait.webp'];

/** What the owner may drop there as the agency's mark. */
export const MARK_FILES = ['mark.svg', 'mark.png'];

/** Pixels of its longer side: of the largest icon. */
const MARK_LEAST = 512;

/** A mark as it is drawn into other pictures. */
export type Mark = { address: string; width: number; height: number };

/** The path of the first of these files in content/, or undefined where the agency has none of its own. */
export function findPicture(contentFolder: string, files: string[]): string | undefined {
  return files.map((file) => join(contentFolder, file)).find((file) => existsSync(file));
}

/** @param path of an SVG or PNG file that can be drawn */
export async function toMark(path: string): Promise<Mark> {
  const source = readFileSync(path);
  const isVector = path.endsWith('.svg');
  // A drawing is only measured here, so it may be of any size.
  const { width, height } = await sharp(source, { limitInputPixels: !isVector }).metadata();
  const type = isVector ? 'image/svg+xml' : 'image/png';
  return { address: `data:${type};base64,${source.toString('base64')}`, width, height };
}

/** @returns what is wrong with the pictures in content/, a line each */
export async function pictureMistakes(folder: string): Promise<string[]> {
  const found = [...PORTRAIT_FILES, ...MARK_FILES].filter((file) => existsSync(join(folder, file)));
  const mistakes = found.map(async (file) => {
    const path = join(folder, file);
    const message = await (file.endsWith('.svg') ? drawingMistake(path) : photographMistake(path));
    return message === undefined ? [] : [`${relative(process.cwd(), path)}: ${message}`];
  });
  return (await Promise.all(mistakes)).flat();
}

async function drawingMistake(path: string): Promise<string | undefined> {
  try {
    await toMark(path);
  } catch {
    const advice = `Save it again as "Plain SVG", or use a PNG of at least ${MARK_LEAST} pixels`;
    return `this file is no drawing that can be read. ${advice}`;
  }
  if (!/<text[\s>]/.test(readFileSync(path, 'utf8'))) return undefined;
  const advice = 'Turn them into paths ("Object to Path", "Outline Text") and save it again';
  return `its letters are text, which looks different on every machine. ${advice}`;
}

async function photographMistake(path: string): Promise<string | undefined> {
  const isMark = path.endsWith('mark.png');
  try {
    const image = sharp(path);
    const { width, height } = await image.metadata();
    await image.resize(8).toBuffer();
    if (!isMark || Math.max(width, height) >= MARK_LEAST) return undefined;
    return `this picture has ${width}×${height} pixels. Save it with at least ${MARK_LEAST} on its longer side`;
  } catch {
    const kinds = isMark ? 'PNG' : 'JPEG, PNG or WebP';
    return `this file is no picture that can be read. Open it in a picture program and save it as ${kinds}`;
  }
}
