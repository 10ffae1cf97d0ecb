import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { basename, join, relative } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import type { Plugin } from 'vite';
import { ContentError } from '../content/read-content.ts';

const ID = 'virtual:portrait';

/** What the owner may drop into content/. */
export const PORTRAIT_FILES = ['portrait.jpg', 'portrait.jpeg', 'portrait.png', 'portrait.webp'];

/** In CSS pixels; the styles give the picture this shape and never more than this width. */
const SHOWN = { width: 424, height: 508 };

/** Pixels: for screens of single, one and a half and double density. */
const WIDTHS = [424, 636, 848];

const FORMATS: { ending: string; type: string; encode: (image: Sharp) => Sharp }[] = [
  { ending: 'avif', type: 'image/avif', encode: (image) => image.avif({ quality: 55, effort: 2 }) },
  { ending: 'webp', type: 'image/webp', encode: (image) => image.webp({ quality: 76 }) },
  { ending: 'jpg', type: 'image/jpeg', encode: (image) => image.jpeg({ quality: 78, mozjpeg: true }) },
];

const STAND_IN = fileURLToPath(new URL('../../src/site/home/portrait.svg', import.meta.url));

/**
 * The founder's portrait as `virtual:portrait`: made from the photograph in content/ where there is one, in the sizes
 * and formats that browsers choose from, else the drawing that stands in for it.
 * @param contentFolder absolute path of content/
 */
export function portraitPlugin(contentFolder: string): Plugin {
  let served = new Map<string, Buffer>();
  return {
    name: 'portrait',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    async load(id) {
      if (id !== `\0${ID}`) return undefined;
      const photograph = PORTRAIT_FILES.map((file) => join(contentFolder, file)).find((file) => existsSync(file));
      if (photograph === undefined) {
        return `import src from ${JSON.stringify(STAND_IN)};\nexport const portrait = { src, sources: [], ...${JSON.stringify(SHOWN)} };`;
      }
      const { portrait, files } = await makeVariants(photograph);
      served = files;
      if (this.environment.mode === 'build') {
        for (const [fileName, source] of files) this.emitFile({ type: 'asset', fileName, source });
      }
      return `export const portrait = ${JSON.stringify(portrait)};`;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const bytes = served.get(request.url?.slice(1) ?? '');
        return bytes ? response.end(bytes) : next();
      });
    },
    hotUpdate({ file }) {
      if (!PORTRAIT_FILES.includes(basename(file))) return;
      const module = this.environment.moduleGraph.getModuleById(`\0${ID}`);
      if (module) this.environment.moduleGraph.invalidateModule(module);
    },
  };
}

type Portrait = { src: string; sources: { type: string; srcSet: string }[]; width: number; height: number };

/** @throws {ContentError} where the file is no photograph */
async function makeVariants(photograph: string): Promise<{ portrait: Portrait; files: Map<string, Buffer> }> {
  const bytes = readFileSync(photograph);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  const { autoOrient } = await sharp(bytes)
    .metadata()
    .catch(() => {
      throw new ContentError(`${relative(process.cwd(), photograph)}: expected a photograph, as JPEG, PNG or WebP`);
    });
  // A small photograph is cut to shape and otherwise left at its size: enlarging adds bytes and no detail.
  const widest = Math.min(autoOrient.width, Math.floor((autoOrient.height * SHOWN.width) / SHOWN.height));
  const widths = [...new Set(WIDTHS.map((width) => Math.min(width, widest)))];
  const { data, info } = await sharp(bytes)
    .autoOrient()
    .resize({ ...sizeOf(widths.at(-1)!), position: sharp.strategy.attention })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const variants = await Promise.all(
    FORMATS.flatMap(({ ending, type, encode }) =>
      widths.map(async (width) => {
        const sized = sharp(data, { raw: info }).resize(sizeOf(width));
        return {
          type,
          width,
          file: `assets/portrait-${width}-${hash}.${ending}`,
          bytes: await encode(sized).toBuffer(),
        };
      }),
    ),
  );
  const sources = FORMATS.slice(0, -1).map(({ type }) => ({
    type,
    srcSet: srcSetOf(variants.filter((each) => each.type === type)),
  }));
  const jpegs = variants.filter(({ type }) => type === 'image/jpeg');
  return {
    portrait: {
      src: `/${jpegs[0]!.file}`,
      sources: [...sources, { type: 'image/jpeg', srcSet: srcSetOf(jpegs) }],
      ...SHOWN,
    },
    files: new Map(variants.map((variant) => [variant.file, variant.bytes])),
  };
}

function sizeOf(width: number): { width: number; height: number } {
  return { width, height: Math.round((width * SHOWN.height) / SHOWN.width) };
}

function srcSetOf(variants: { file: string; width: number }[]): string {
  return variants.map(({ file, width }) => `/${file} ${width}w`).join(', ');
}
