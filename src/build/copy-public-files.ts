import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { MAX_WIDTH } from '#content/pictures/shrink-picture.ts';
import { listPublicFiles } from '#content/list-files.ts';

/**
 * Copies the files of public/ into the built site, overwriting generated files. Pictures lose their metadata, such as
 * GPS coordinates. Pictures of updates are also scaled down to at most 1200 pixels wide; all others keep their size.
 * @param publicFolder absolute path of public/
 * @param site the folder of the built site
 */
export async function copyPublicFiles(publicFolder: string, site: string): Promise<void> {
  for (const [path, file] of listPublicFiles(publicFolder)) {
    const to = join(site, path);
    await mkdir(dirname(to), { recursive: true });
    const picture = PICTURE.test(file) ? await cleanPublicPicture(publicFolder, file) : undefined;
    if (picture === undefined) await copyFile(join(publicFolder, file), to);
    else await writeFile(to, picture);
  }
}

/** @returns the URL of the owner's own icon, which pages must link: browsers prefer a linked icon to /favicon.ico */
export function findOwnIcon(publicFolder: string): { ownIcon?: string } {
  const files = listPublicFiles(publicFolder);
  const own = ['favicon.svg', 'favicon.ico'].find((file) => files.has(file));
  return own === undefined ? {} : { ownIcon: `/${own}` };
}

const PICTURE = /\.(jpe?g|png|webp|avif|gif)$/i;

/** The folder in which the desk saves the pictures of updates. */
const OF_UPDATES = /^updates\//;

/** @returns undefined if the picture needs no change */
async function cleanPublicPicture(folder: string, file: string): Promise<Buffer | undefined> {
  const source = await readFile(join(folder, file));
  const metadata = await sharp(source, { animated: true })
    .metadata()
    .catch(() => undefined);
  const maxWidth = OF_UPDATES.test(file) ? MAX_WIDTH : Infinity;
  if (metadata === undefined || (metadata.width <= maxWidth && !hasPrivateMetadata(metadata))) return undefined;
  const picture = sharp(source, { animated: (metadata.pages ?? 1) > 1 }).autoOrient();
  if (metadata.width > maxWidth) picture.resize({ width: maxWidth });
  return keepQuality(picture, metadata)
    .toBuffer()
    .catch((error: Error) => rejectPicture(file, error));
}

function hasPrivateMetadata({ exif, xmp, iptc, comments }: Metadata): boolean {
  return [exif, xmp, iptc, comments].some((each) => each !== undefined);
}

/** Press photographs are printed, so they are re-encoded without visible loss. */
function keepQuality(picture: Sharp, { format, compression }: Metadata): Sharp {
  if (format === 'jpeg') return picture.jpeg({ quality: 95, chromaSubsampling: '4:4:4' });
  if (format === 'webp') return picture.webp({ quality: 95 });
  return compression === 'av1' ? picture.avif({ quality: 80, effort: 2 }) : picture;
}

function rejectPicture(file: string, cause: Error): never {
  throw new Error(`public/${file}: this picture cannot be read. Open it in an image editor and save it again`, {
    cause,
  });
}
