import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Metadata } from 'sharp';
import { MAX_WIDTH } from '#content/pictures/shrink-picture.ts';

/**
 * Prepares the pictures of public/ for visitors and readers: upright, at most 1200 pixels wide, and without
 * a camera's metadata, such as the place. Each keeps its name and format.
 * @param site the folder of the built site, which contains them
 * @param files of public/, by their paths in it
 */
export async function cleanPictures(site: string, files: string[]): Promise<void> {
  for (const file of files.filter((each) => /\.(jpe?g|png|webp|avif|gif)$/i.test(each))) {
    const path = join(site, file);
    const source = await readFile(path);
    const facts = await sharp(source, { animated: true })
      .metadata()
      .catch(() => undefined);
    if (facts === undefined || isClean(facts)) continue;
    const picture = sharp(source, { animated: (facts.pages ?? 1) > 1 }).autoOrient();
    const resized = picture.resize({ width: MAX_WIDTH, withoutEnlargement: true });
    await writeFile(path, await resized.toBuffer().catch((error: Error) => refuse(file, error)));
  }
}

function refuse(file: string, cause: Error): never {
  throw new Error(`public/${file}: this picture cannot be read. Open it in a picture program and save it again`, {
    cause,
  });
}

function isClean({ exif, xmp, iptc, comments, width }: Metadata): boolean {
  return width <= MAX_WIDTH && [exif, xmp, iptc, comments].every((each) => each === undefined);
}
