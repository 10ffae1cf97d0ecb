import { relative } from 'node:path';
import sharp from 'sharp';
import { findPicture, PORTRAIT_FILES, PORTRAIT_SIZE } from '#content/pictures.ts';
import type { Finding } from './finding.ts';

/**
 * A photograph that is large enough for the page, and not for the screens of most telephones.
 * @param folder absolute path of content/, whose pictures can be read
 */
export async function checkPortrait(folder: string): Promise<Finding[]> {
  const path = findPicture(folder, PORTRAIT_FILES);
  if (path === undefined) return [];
  const { width, height } = (await sharp(path).metadata()).autoOrient;
  const [wide, high] = [2 * PORTRAIT_SIZE.width, 2 * PORTRAIT_SIZE.height];
  if (width >= wide && height >= high) return [];
  return [
    {
      where: relative(process.cwd(), path),
      problem: `this photograph has ${width}×${height} pixels, so it is a little soft on screens of double density`,
      advice: `Use one of at least ${wide}×${high} if you have it.`,
      mayStay: true,
    },
  ];
}
