import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import type { Plugin } from 'vite';

const ID = 'virtual:mark';

/** What the owner may drop into content/. */
export const MARK_FILES = ['mark.svg', 'mark.png'];

/** Pixels of its longer side: of the largest icon. */
export const MARK_LEAST = 512;

/** In CSS pixels: as high as the header shows it. */
const SHOWN_HEIGHT = 40;

/** A mark as it is drawn into other pictures, and as a browser fetches it for the header. */
export type Mark = { address: string; width: number; height: number; file: string; bytes: Buffer };

/** The mark in content/, or undefined where the agency has none of its own. */
export async function readMark(contentFolder: string): Promise<Mark | undefined> {
  const path = MARK_FILES.map((file) => join(contentFolder, file)).find((file) => existsSync(file));
  return path === undefined ? undefined : toMark(path);
}

/** @param path of an SVG or PNG file that can be drawn */
export async function toMark(path: string): Promise<Mark> {
  const source = readFileSync(path);
  const isVector = path.endsWith('.svg');
  // A drawing is only measured here, so it may be of any size.
  const { width, height } = await sharp(source, { limitInputPixels: !isVector }).metadata();
  // Twice the size shown, for screens of double density.
  const bytes = isVector
    ? source
    : await sharp(source)
        .resize({ height: SHOWN_HEIGHT * 2 })
        .png()
        .toBuffer();
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  const type = isVector ? 'image/svg+xml' : 'image/png';
  return {
    address: `data:${type};base64,${source.toString('base64')}`,
    width,
    height,
    bytes,
    file: `assets/mark-${hash}.${isVector ? 'svg' : 'png'}`,
  };
}

/** The header's logo as `virtual:mark`: where it is and how large, or undefined for the design's own. */
export function markPlugin(contentFolder: string): Plugin {
  let served: Mark | undefined;
  return {
    name: 'mark',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    async load(id) {
      if (id !== `\0${ID}`) return undefined;
      served = await readMark(contentFolder);
      if (served === undefined) return 'export const mark = undefined;';
      const { file, bytes, width, height } = served;
      if (this.environment.mode === 'build') this.emitFile({ type: 'asset', fileName: file, source: bytes });
      const shown = { src: `/${file}`, width: Math.round((SHOWN_HEIGHT * width) / height), height: SHOWN_HEIGHT };
      return `export const mark = ${JSON.stringify(shown)};`;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url !== `/${served?.file}`) return next();
        return response
          .setHeader('Content-Type', served!.file.endsWith('.svg') ? 'image/svg+xml' : 'image/png')
          .end(served!.bytes);
      });
    },
    hotUpdate({ file }) {
      if (!MARK_FILES.includes(basename(file))) return;
      const module = this.environment.moduleGraph.getModuleById(`\0${ID}`);
      if (module) this.environment.moduleGraph.invalidateModule(module);
    },
  };
}
