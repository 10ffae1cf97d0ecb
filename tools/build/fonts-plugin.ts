import { createHash } from 'node:crypto';
import { createFontStack } from '@capsizecss/core';
import { fromBuffer } from '@capsizecss/unpack';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { lettersOf } from '../content/letters.ts';
import { readContent } from '../content/read-content.ts';
import { chooseFaces, type Face } from './faces.ts';

const ID = 'virtual:fonts.css';

type BuiltFont = { file: string; bytes: Uint8Array; css: string };

/**
 * The brand's two families as `virtual:fonts.css`: subset to basic Latin and every letter of content/, axes pinned,
 * each with a fallback of the same metrics so that nothing shifts when it arrives.
 * @param contentFolder absolute path of content/
 */
export function fontsPlugin(contentFolder: string): Plugin & { files: () => Promise<string[]> } {
  let built: Promise<BuiltFont[]> | undefined;
  const fonts = () => {
    built ??= buildFonts(contentFolder);
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

function buildFonts(contentFolder: string): Promise<BuiltFont[]> {
  const content = readContent(contentFolder);
  const { faces } = chooseFaces(content.brand.fonts, lettersOf(content));
  return Promise.all(faces.map(buildFont));
}

async function buildFont(face: Face): Promise<BuiltFont> {
  const { family, letters, weight, isFirst } = face;
  const bytes = await subsetFont(face.font, letters, { targetFormat: 'woff2', variationAxes: face.axes });
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  const file = `assets/${family.toLowerCase().replaceAll(' ', '-')}-${hash}.woff2`;
  const range = isFirst ? '' : `;unicode-range:${unicodeRange(letters)}`;
  const css = `@font-face{font-family:${family.includes(' ') ? JSON.stringify(family) : family};src:url(/${file}) format("woff2");font-weight:${weight};font-display:swap${range}}`;
  return { file, bytes, css: isFirst ? `${css}\n${await fallbackOf(face, bytes)}` : css };
}

/** A system's own font, scaled so that lines break alike. */
async function fallbackOf({ family, isSerif }: Face, bytes: Uint8Array): Promise<string> {
  const metrics = { ...(await fromBuffer(Buffer.from(bytes))), familyName: family };
  return createFontStack([metrics, isSerif ? TIMES_NEW_ROMAN : ARIAL]).fontFaces;
}

/** Source: the package @capsizecss/metrics, which is 170 MB for these two. */
const ARIAL = {
  familyName: 'Arial',
  capHeight: 1467,
  ascent: 1854,
  descent: -434,
  lineGap: 67,
  unitsPerEm: 2048,
  xHeight: 1062,
  xWidthAvg: 913,
};
const TIMES_NEW_ROMAN = {
  familyName: 'Times New Roman',
  capHeight: 1356,
  ascent: 1825,
  descent: -443,
  lineGap: 87,
  unitsPerEm: 2048,
  xHeight: 916,
  xWidthAvg: 832,
};

function unicodeRange(letters: string): string {
  return [...letters].map((letter) => `U+${letter.codePointAt(0)!.toString(16)}`).join(',');
}
