import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import sharp from 'sharp';
import { MARK_FILES, MIN_MARK_SIZE, PORTRAIT_FILES } from './picture-files.ts';

/**
 * Finds errors in the owner's mark and portrait.
 * @param folder absolute path of content/
 * @returns a line for each error, beginning with the file's path
 */
export async function findPictureErrors(folder: string): Promise<string[]> {
  const found = [...MARK_FILES, ...PORTRAIT_FILES].filter((file) => existsSync(join(folder, file)));
  const errors = found.map(async (file) => {
    const message = findSecond(file, found) ?? (await findUnreadable(join(folder, file)));
    return message === undefined ? [] : [`${relative(process.cwd(), join(folder, file))}: ${message}`];
  });
  return (await Promise.all(errors)).flat();
}

/** The site shows one file for each picture, and would silently ignore a second one. */
function findSecond(file: string, all: string[]): string | undefined {
  const names = MARK_FILES.includes(file) ? MARK_FILES : PORTRAIT_FILES;
  const used = names.find((each) => all.includes(each));
  return used === file ? undefined : `${used} is there too, and is the one that is shown. Remove one of them`;
}

/** @param path of a picture under one of its names in content/ @returns what is wrong with it */
export async function findUnreadable(path: string): Promise<string | undefined> {
  if (path.endsWith('.svg')) return findDrawingError(path);
  return path.endsWith('mark.png') ? findMarkError(path) : findPhotographError(path);
}

async function findDrawingError(path: string): Promise<string | undefined> {
  const source = readFileSync(path, 'utf8').replaceAll(/<!--[\s\S]*?-->/g, '');
  const isDrawing = await sharp(path, { limitInputPixels: false })
    .metadata()
    .then(({ format }) => format === 'svg' && /<(\w+:)?svg[\s>]/.test(source))
    .catch(() => false);
  if (!isDrawing) {
    return `this drawing cannot be read. Save it again as "Plain SVG", ${OR_PNG}`;
  }
  return NOT_SHOWN.find(({ found }) => found.test(source))?.message ?? findUnscaled(source);
}

/** Parts of an SVG that browsers don't show, draw differently on each machine, or run. */
const NOT_SHOWN: { found: RegExp; message: string }[] = [
  {
    found: /<(\w+:)?(script|iframe|embed|object)[\s>/]|\son\w+\s*=|javascript:/i,
    message: 'this drawing contains a script or another document, which a mark doesn’t need. Save it as "Plain SVG"',
  },
  {
    found: /<(\w+:)?(text|flowRoot)[\s>]/,
    message:
      'its letters are text, which looks different on every machine. ' +
      'Turn them into paths ("Object to Path", "Outline Text") and save it again',
  },
  {
    found: /(href|src)\s*=\s*["'](?!\s*(#|data:))|url\(\s*["']?(?!["']?\s*(#|data:))|@import/i,
    message:
      'this drawing fetches a picture or a font from another file, which is never shown in a mark. ' +
      'Embed the picture, turn letters into paths, and save it again',
  },
];

/** An SVG without a viewBox would be cropped in the header. */
function findUnscaled(source: string): string | undefined {
  const [start = ''] = /<(\w+:)?svg[\s>][^>]*/.exec(source) ?? [];
  if (/\sviewBox\s*=/.test(start)) return undefined;
  const advice = `Export it as "Plain SVG" (Inkscape) or "Responsive" (Illustrator), ${OR_PNG}`;
  return `this drawing cannot be scaled, since it has no "viewBox". ${advice}`;
}

const OR_PNG = `or use a PNG of at least ${MIN_MARK_SIZE} pixels`;

async function findMarkError(path: string): Promise<string | undefined> {
  const size = await readPicture(path, ['png']);
  if (size === undefined) return `${UNREADABLE} PNG`;
  if (Math.max(size.width, size.height) >= MIN_MARK_SIZE) return undefined;
  return `this picture has ${size.width}×${size.height} pixels. Save it with at least ${MIN_MARK_SIZE} on its longer side`;
}

async function findPhotographError(path: string): Promise<string | undefined> {
  const isPicture = (await readPicture(path, ['jpeg', 'png', 'webp'])) !== undefined;
  return isPicture ? undefined : `${UNREADABLE} JPEG, PNG or WebP`;
}

const UNREADABLE = 'this picture cannot be read. Open it in an image editor and save it as';

/** @returns its size as shown, in pixels; undefined if the file is not a complete picture in one of these formats */
async function readPicture(path: string, formats: string[]): Promise<{ width: number; height: number } | undefined> {
  try {
    const image = sharp(path);
    const { format, autoOrient } = await image.metadata();
    await image.resize(8).toBuffer();
    return formats.includes(format) ? autoOrient : undefined;
  } catch {
    return undefined;
  }
}
