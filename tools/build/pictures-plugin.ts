import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { normalizePath, type PluginOption } from 'vite';
import { imagetools } from 'vite-imagetools';
import { findPictureMistakes } from '#content/check-pictures.ts';
import { findPicture, MARK_FILES, PORTRAIT_FILES, PORTRAIT_SIZE, toMark } from '#content/pictures.ts';
import { ContentError, readContent } from '#content/read-content.ts';
import { drawInBrand } from './brand-drawings.ts';

/**
 * The owner's pictures in the sizes and formats that browsers choose from: `virtual:portrait`, the founder's photograph
 * or the drawing in its place, and `virtual:mark`, the header's logo or undefined for the design's own.
 * @param contentFolder absolute path of content/
 */
export function picturesPlugin(contentFolder: string): PluginOption {
  const modules: Record<string, (folder: string) => Promise<string>> = {
    '\0virtual:portrait': writePortraitModule,
    '\0virtual:mark': writeMarkModule,
  };
  return [
    imagetools(),
    {
      name: 'pictures',
      resolveId: (id) => (Object.hasOwn(modules, `\0${id}`) ? `\0${id}` : undefined),
      async load(id) {
        if (!Object.hasOwn(modules, id)) return undefined;
        const mistakes = await findPictureMistakes(contentFolder);
        if (mistakes.length > 0) throw new ContentError(mistakes.join('\n'));
        return modules[id]!(contentFolder);
      },
    },
  ];
}

/** In CSS pixels: as high as the header shows the mark. */
const MARK_HEIGHT = 40;

async function writePortraitModule(contentFolder: string): Promise<string> {
  const size = JSON.stringify(PORTRAIT_SIZE);
  const photograph = findPicture(contentFolder, PORTRAIT_FILES);
  if (photograph === undefined) {
    return `import src from ${writeImport(drawStandIn(contentFolder))};\nexport const portrait = { src, sources: [], ...${size} };`;
  }
  const widths = await choosePortraitWidths(photograph);
  const shape = `aspect=${PORTRAIT_SIZE.width}:${PORTRAIT_SIZE.height}&position=attention`;
  const jpeg = 'format=jpg&quality=78&progressive=true';
  const srcSet = (format: string) => writeImport(photograph, `w=${widths.join(';')}&${shape}&${format}&as=srcset`);
  return `
    import avif from ${srcSet('format=avif&quality=55&effort=2')};
    import webp from ${srcSet('format=webp&quality=76')};
    import jpeg from ${srcSet(jpeg)};
    import src from ${writeImport(photograph, `w=${widths[0]}&${shape}&${jpeg}&as=url`)};
    const sources = [
      { type: 'image/avif', srcSet: avif },
      { type: 'image/webp', srcSet: webp },
      { type: 'image/jpeg', srcSet: jpeg },
    ];
    export const portrait = { src, sources, ...${size} };`;
}

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/portrait', import.meta.url));

/** @returns the path of the drawing, in the owner's colours where she has any */
function drawStandIn(contentFolder: string): string {
  const drawing = drawInBrand('portrait', readContent(contentFolder).brand);
  // Builds of several agencies may run at a time.
  const folder = join(CACHE, hash('sha256', drawing).slice(0, 8));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'portrait.svg'), drawing);
  return join(folder, 'portrait.svg');
}

/**
 * For screens of single, one and a half and double density. A small photograph is cut to shape and otherwise left at
 * its size: enlarging adds bytes and no detail.
 */
async function choosePortraitWidths(photograph: string): Promise<number[]> {
  const { autoOrient } = await sharp(photograph).metadata();
  const { width, height } = PORTRAIT_SIZE;
  const widest = Math.min(autoOrient.width, Math.floor((autoOrient.height * width) / height));
  return [...new Set([1, 1.5, 2].map((density) => Math.min(density * width, widest)))];
}

async function writeMarkModule(contentFolder: string): Promise<string> {
  const path = findPicture(contentFolder, MARK_FILES);
  if (path === undefined) return 'export const mark = undefined;';
  const { width, height } = await toMark(readFileSync(path), path.endsWith('.svg'));
  const shown = { width: Math.round((MARK_HEIGHT * width) / height), height: MARK_HEIGHT };
  // Twice the size shown, for screens of double density; a drawing is as sharp at any.
  const src = path.endsWith('.svg') ? writeImport(path) : writeImport(path, `h=${2 * MARK_HEIGHT}&format=png&as=url`);
  return `import src from ${src};\nexport const mark = { src, ...${JSON.stringify(shown)} };`;
}

/** @param directives what vite-imagetools makes of the picture */
function writeImport(path: string, directives?: string): string {
  return JSON.stringify(normalizePath(path) + (directives === undefined ? '' : `?${directives}`));
}
