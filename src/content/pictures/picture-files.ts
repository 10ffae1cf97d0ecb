import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Names under which the owner may put the founder's portrait into content/. */
export const PORTRAIT_FILES = ['portrait.jpg', 'portrait.jpeg', 'portrait.png', 'portrait.webp'];

/** Names under which the owner may put the agency's mark there. */
export const MARK_FILES = ['mark.svg', 'mark.png'];

/** Pixels of its longer side: the size of the largest icon. */
export const MIN_MARK_SIZE = 512;

/** In CSS pixels; the styles give the portrait this shape and never more than this width. */
export const PORTRAIT_SIZE = { width: 424, height: 508 };

/** A mark to draw into other pictures: `url` is a data URL of `source`. */
export type Mark = { source: Buffer; isVector: boolean; url: string; width: number; height: number };

/** Whether a square icon would show the mark only a few pixels high, or wide. */
export function isTooWideForIcons({ width, height }: { width: number; height: number }): boolean {
  return Math.max(width / height, height / width) > 2;
}

/** The path of the first of these files that exists in content/; undefined if the agency has none. */
export function findPicture(contentFolder: string, files: string[]): string | undefined {
  return files.map((file) => join(contentFolder, file)).find((file) => existsSync(file));
}

/** @param source of an SVG or PNG file that can be drawn */
export async function toMark(source: Buffer, isVector: boolean): Promise<Mark> {
  // The desk imports the names above, possibly without sharp.
  const { default: sharp } = await import('sharp');
  // An SVG is only measured here, so any size is fine.
  const { width, height } = await sharp(source, { limitInputPixels: !isVector }).metadata();
  const type = isVector ? 'image/svg+xml' : 'image/png';
  return { source, isVector, url: `data:${type};base64,${source.toString('base64')}`, width, height };
}
