import { hash } from 'node:crypto';
import { createFontStack } from '@capsizecss/core';
import { fromBuffer } from '@capsizecss/unpack';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { findLetters } from '#content/letters.ts';
import { readContent } from '#content/read-content.ts';
import { chooseFaces, type Face, readLicence } from '#content/faces.ts';

const ID = 'virtual:fonts.css';

type BuiltFont = { file: string; bytes: Uint8Array; css: string; source: string };

/**
 * The brand's two families as `virtual:fonts.css`: subset to basic Latin and every letter of content/, axes pinned,
 * each with a fallback of the same metrics so that nothing shifts when it arrives.
 * @param contentFolder absolute path of content/
 */
export function fontsPlugin(contentFolder: string) {
  let built: Promise<BuiltFont[]> | undefined;
  // Kept until content/ changes, since many requests come at once. A mistake there is thrown before, so it is not kept.
  const fonts = () => (built ??= buildFonts(contentFolder));
  const plugin: Plugin = {
    name: 'fonts',
    sharedDuringBuild: true,
    resolveId: (id) => (id.startsWith(ID) ? `\0${id}` : undefined),
    load: async (id) => (id.startsWith(`\0${ID}`) ? (await fonts()).map(({ css }) => css).join('\n') : undefined),
    async generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const { file, bytes } of await fonts()) this.emitFile({ type: 'asset', fileName: file, source: bytes });
    },
    hotUpdate({ file }) {
      if (file.startsWith(contentFolder)) built = undefined;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        // A mistake in content/ must not fail Vite's own files, which show it.
        if (!request.url!.endsWith('.woff2')) return next();
        const answer = (all: BuiltFont[]) => {
          const font = all.find(({ file }) => request.url === `/${file}`);
          return font ? response.setHeader('Content-Type', 'font/woff2').end(font.bytes) : next();
        };
        fonts().then(answer, next);
      });
    },
  };
  return {
    plugin,
    addresses: async () => (await fonts()).map(({ file }) => `/${file}`),
    /** The licences of the families, in the form in which Vite writes those of packages. */
    licences: async () => [...new Set((await fonts()).map(({ source }) => source))].map(readLicence).join(''),
  };
}

function buildFonts(contentFolder: string): Promise<BuiltFont[]> {
  const content = readContent(contentFolder);
  return Promise.all(chooseFaces(content.brand.fonts, findLetters(content)).faces.map(buildFont));
}

async function buildFont(face: Face): Promise<BuiltFont> {
  const { source, family, letters, weight, isFirst } = face;
  const bytes = await subsetFont(face.font, letters, {
    targetFormat: 'woff2',
    variationAxes: face.axes,
    keepFeatures: SHOWN_FEATURES,
  });
  const file = `assets/${family.toLowerCase().replaceAll(' ', '-')}-${hash('sha256', bytes).slice(0, 8)}.woff2`;
  const codes = [...letters].map((letter) => `U+${letter.codePointAt(0)!.toString(16)}`);
  const range = isFirst ? '' : `;unicode-range:${codes.join(',')}`;
  const name = family.includes(' ') ? JSON.stringify(family) : family;
  const address = `url(/${file}) format("woff2")`;
  const css = `@font-face{font-family:${name};src:${address};font-weight:${weight};font-display:swap${range}}`;
  return { file, bytes, source, css: isFirst ? `${css}\n${await writeFallback(face, bytes)}` : css };
}

/**
 * The features that browsers apply by default; small capitals and other figures would bring a tenth more bytes for
 * glyphs nobody sees.
 */
const SHOWN_FEATURES = ['calt', 'ccmp', 'clig', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rlig'];

/**
 * The systems' own fonts under one name, each scaled so that lines break alike: Linux, Android, then Windows and Apple.
 * A system passes over those that it does not have, and takes the last that it has.
 * Firefox loads no fallback for text while its own font is loading. So `html` has the fallback of the text alone, and
 * `head` that of the headings, with an indent in `ch`: both make Firefox load it early.
 */
async function writeFallback({ family, isSerif, use }: Face, bytes: Uint8Array): Promise<string> {
  const metrics = { ...(await fromBuffer(Buffer.from(bytes))), familyName: family };
  const faces = FALLBACKS[isSerif ? 'serif' : 'sans'].map((system) => createFontStack([metrics, system]).fontFaces);
  const name = `font-family:"${family} Fallback"`;
  return `${faces.join('\n')}\n${use === 'text' ? `html{${name}}` : `head{${name};text-indent:1ch}`}`;
}

type Metrics = Parameters<typeof createFontStack>[0][number];

/** Sources: @capsizecss/metrics, which would be 170 MB; for DejaVu its own tables, read with @capsizecss/unpack. */
const FALLBACKS: Record<'serif' | 'sans', Metrics[]> = {
  serif: [
    { familyName: 'DejaVu Serif', ascent: 1901, descent: -483, lineGap: 0, unitsPerEm: 2048, xWidthAvg: 1058 },
    { familyName: 'Noto Serif', ascent: 1069, descent: -293, lineGap: 0, unitsPerEm: 1000, xWidthAvg: 481 },
    { familyName: 'Times New Roman', ascent: 1825, descent: -443, lineGap: 87, unitsPerEm: 2048, xWidthAvg: 832 },
  ],
  sans: [
    { familyName: 'DejaVu Sans', ascent: 1901, descent: -483, lineGap: 0, unitsPerEm: 2048, xWidthAvg: 1041 },
    { familyName: 'Roboto', ascent: 1900, descent: -500, lineGap: 0, unitsPerEm: 2048, xWidthAvg: 911 },
    { familyName: 'Arial', ascent: 1854, descent: -434, lineGap: 67, unitsPerEm: 2048, xWidthAvg: 913 },
  ],
};
