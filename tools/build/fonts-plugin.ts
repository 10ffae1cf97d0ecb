import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createFontStack } from '@capsizecss/core';
import arial from '@capsizecss/metrics/arial';
import timesNewRoman from '@capsizecss/metrics/timesNewRoman';
import { fromBuffer } from '@capsizecss/unpack';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { CONTENT_FILES } from '../content/read-content.ts';

const ID = 'virtual:fonts.css';

type Face = {
  family: string;
  source: string;
  /** Axes pinned to a value, or narrowed to a range. */
  axes: Record<string, number | { min: number; max: number }>;
  weight: string;
  fallback: typeof arial;
};

export const FACES: Face[] = [
  {
    family: 'Newsreader',
    source: '@fontsource-variable/newsreader/files/newsreader-latin-standard-normal.woff2',
    axes: { opsz: 72, wght: 420 },
    weight: '420',
    fallback: timesNewRoman,
  },
  {
    family: 'Figtree',
    source: '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
    axes: { wght: { min: 400, max: 700 } },
    weight: '400 700',
    fallback: arial,
  },
];

type BuiltFont = { file: string; bytes: Uint8Array; css: string };

/**
 * The two faces as `virtual:fonts.css`: subset to basic Latin and every character of content/, axes pinned, each with
 * a fallback of the same metrics so that nothing shifts when it arrives.
 * @param contentFolder absolute path of content/
 */
export function fontsPlugin(contentFolder: string): Plugin & { files: () => Promise<string[]> } {
  let built: Promise<BuiltFont[]> | undefined;
  const fonts = () => {
    built ??= Promise.all(FACES.map((face) => buildFont(face, charactersOf(contentFolder))));
    return built;
  };
  return {
    name: 'fonts',
    sharedDuringBuild: true,
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    async load(id) {
      if (id !== `\0${ID}`) return undefined;
      return (await fonts()).map((font) => font.css).join('\n');
    },
    async generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const { file, bytes } of await fonts()) this.emitFile({ type: 'asset', fileName: file, source: bytes });
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        if (request.url === '/assets/fonts.css') {
          return response.setHeader('Content-Type', 'text/css').end((await fonts()).map(({ css }) => css).join(''));
        }
        const font = (await fonts()).find(({ file }) => request.url === `/${file}`);
        return font ? response.setHeader('Content-Type', 'font/woff2').end(font.bytes) : next();
      });
    },
    files: async () => (await fonts()).map(({ file }) => file),
  };
}

async function buildFont(face: Face, characters: string): Promise<BuiltFont> {
  const font = readFileSync(createRequire(import.meta.url).resolve(face.source));
  const bytes = await subsetFont(font, characters, { targetFormat: 'woff2', variationAxes: face.axes });
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  const file = `assets/${face.family.toLowerCase()}-${hash}.woff2`;
  const metrics = { ...(await fromBuffer(Buffer.from(bytes))), familyName: face.family };
  const { fontFaces } = createFontStack([metrics, face.fallback]);
  return {
    file,
    bytes,
    css: `@font-face{font-family:${face.family};src:url(/${file}) format("woff2");font-weight:${face.weight};font-display:swap}\n${fontFaces}`,
  };
}

/** Basic Latin, the marks that components draw themselves, and whatever content/ uses beyond it. */
function charactersOf(contentFolder: string): string {
  const basicLatin = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index));
  const texts = CONTENT_FILES.map((file) => readFileSync(join(contentFolder, file), 'utf8'));
  return [...new Set([...basicLatin, ...'·–—’…©£€', ...texts.join('')])].join('');
}
