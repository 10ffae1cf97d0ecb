import { createFontStack } from '@capsizecss/core';
import { fromBuffer } from '@capsizecss/unpack';
import subsetFont from 'subset-font';
import { chooseFontFiles, type FontFile, readLicence } from '#content/brand/font-families.ts';
import { listUsedCharacters } from '#content/brand/used-characters.ts';
import type { Content } from '#content/schemas/content-schema.ts';
import { curlApostrophe } from './curl-apostrophe.ts';
import type { MadeFiles } from './made-files.ts';

/** @property urls of the files @property licences in the format in which Vite writes those of packages */
export type SiteFonts = { css: string; urls: string[]; licences: string };

/**
 * Makes the brand's two font families: subset to basic Latin and every character of content/, with pinned axes, each
 * with a fallback of the same metrics so that nothing shifts when the font arrives.
 * @param made receives the files
 */
export async function makeFonts(content: Content, made: MadeFiles): Promise<SiteFonts> {
  const { fonts } = content.brand;
  // If body text has the same family, apostrophes that visitors type would change too.
  const areDifferent = fonts.headings !== fonts.text;
  const built = await Promise.all(
    chooseFontFiles(fonts, listUsedCharacters(content)).map((file) =>
      makeFont(file, areDifferent && file.use === 'headings', made),
    ),
  );
  return {
    css: built.map(({ css }) => css).join('\n'),
    urls: built.map(({ url }) => url),
    licences: [...new Set(built.map(({ source }) => source))].map(readLicence).join(''),
  };
}

async function makeFont(from: FontFile, isCurly: boolean, made: MadeFiles) {
  const { source, family, characters, weight, isFirst } = from;
  const file = `${family.toLowerCase().replaceAll(' ', '-')}.woff2`;
  const sources = [from.font, [...characters].toSorted(), from.axes, SHOWN_FEATURES, isCurly];
  const url = await made.add(file, sources, () => subset(from, isCurly));
  const codes = [...characters].map((character) => `U+${character.codePointAt(0)!.toString(16)}`);
  const range = isFirst ? '' : `;unicode-range:${codes.join(',')}`;
  const name = family.includes(' ') ? JSON.stringify(family) : family;
  const src = `url(${url})format("woff2")`;
  const css = `@font-face{font-family:${name};src:${src};font-weight:${weight};font-display:swap${range}}`;
  const fallback = isFirst ? await writeFallback(from, made.files.get(url.slice(1))!) : '';
  return { url, source, css: css + fallback };
}

async function subset({ font, characters, axes }: FontFile, isCurly: boolean): Promise<Uint8Array> {
  const options = { keepFeatures: SHOWN_FEATURES, targetFormat: isCurly ? 'truetype' : 'woff2' } as const;
  const bytes = await subsetFont(font, characters, { ...options, variationAxes: axes });
  // Subsetting again compresses the font, and leaves out the glyph that is no longer shown.
  return isCurly ? subsetFont(curlApostrophe(bytes), characters, { ...options, targetFormat: 'woff2' }) : bytes;
}

/**
 * The features that browsers apply by default; small capitals and other figures would add a tenth more bytes for
 * glyphs that are never shown.
 */
const SHOWN_FEATURES = ['calt', 'ccmp', 'clig', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rlig'];

/**
 * Writes fallback fonts: system fonts of Linux, Android, then Windows and Apple under one name, each scaled so that
 * lines break in the same places. A browser skips the fonts that its system lacks, and uses the last one that it has.
 * While a web font is loading, Firefox doesn't load the fallback of the text that uses it. So `html` has only the
 * text's fallback, and `head` the headings' fallback, with an indent in `ch`: both make Firefox load them early.
 */
async function writeFallback({ family, isSerif, use }: FontFile, bytes: Uint8Array): Promise<string> {
  const metrics = { ...(await fromBuffer(Buffer.from(bytes))), familyName: family };
  const fonts = FALLBACKS[isSerif ? 'serif' : 'sans'].map((system) => createFontStack([metrics, system]).fontFaces);
  const name = `font-family:"${family} Fallback"`;
  return `${fonts.map(minify).join('')}${use === 'text' ? `html{${name}}` : `head{${name};text-indent:1ch}`}`;
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

/** Capsize writes a line for each declaration. */
function minify(css: string): string {
  return css
    .split('\n')
    .map((line) => line.trim())
    .join('')
    .replaceAll(': ', ':')
    .replaceAll(' {', '{')
    .replaceAll(';}', '}');
}
