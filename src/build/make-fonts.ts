import { hash } from 'node:crypto';
import { createFontStack } from '@capsizecss/core';
import { fromBuffer } from '@capsizecss/unpack';
import subsetFont from 'subset-font';
import { chooseFontFiles, type FontFile, readLicence } from '#content/brand/font-families.ts';
import { usedCharacters } from '#content/brand/used-characters.ts';
import type { Content } from '#content/schemas/content-schema.ts';
import { curlApostrophe } from './curl-apostrophe.ts';

/**
 * `files` by their paths in the site. `licences` is in the form in which Vite writes those of packages.
 */
export type SiteFonts = { css: string; files: Map<string, Uint8Array>; licences: string };

/**
 * The brand's two families: subset to basic Latin and every character of content/, axes pinned, each with a fallback of
 * the same metrics so that nothing shifts when it arrives.
 */
export async function makeFonts(content: Content): Promise<SiteFonts> {
  const { fonts } = content.brand;
  // In a family that is also the text's, what a visitor types would be changed too.
  const areDifferent = fonts.headings !== fonts.text;
  const built = await Promise.all(
    chooseFontFiles(fonts, usedCharacters(content)).map((file) =>
      makeFont(file, areDifferent && file.use === 'headings'),
    ),
  );
  return {
    css: built.map(({ css }) => css).join('\n'),
    files: new Map(built.map(({ file, bytes }) => [file, bytes])),
    licences: [...new Set(built.map(({ source }) => source))].map(readLicence).join(''),
  };
}

async function makeFont(from: FontFile, isCurly: boolean) {
  const { source, family, characters, weight, isFirst } = from;
  const options = { keepFeatures: SHOWN_FEATURES, targetFormat: isCurly ? 'truetype' : 'woff2' } as const;
  let bytes = await subsetFont(from.font, characters, { ...options, variationAxes: from.axes });
  // Compresses it, and leaves out the glyph that is no longer shown.
  if (isCurly) bytes = await subsetFont(curlApostrophe(bytes), characters, { ...options, targetFormat: 'woff2' });
  const file = `assets/${family.toLowerCase().replaceAll(' ', '-')}-${hash('sha256', bytes).slice(0, 8)}.woff2`;
  const codes = [...characters].map((character) => `U+${character.codePointAt(0)!.toString(16)}`);
  const range = isFirst ? '' : `;unicode-range:${codes.join(',')}`;
  const name = family.includes(' ') ? JSON.stringify(family) : family;
  const src = `url(/${file})format("woff2")`;
  const css = `@font-face{font-family:${name};src:${src};font-weight:${weight};font-display:swap${range}}`;
  return { file, bytes, source, css: isFirst ? `${css}${await writeFallback(from, bytes)}` : css };
}

/**
 * The features that browsers apply by default; small capitals and other figures would add a tenth more bytes for
 * glyphs nobody sees.
 */
const SHOWN_FEATURES = ['calt', 'ccmp', 'clig', 'kern', 'liga', 'locl', 'mark', 'mkmk', 'rlig'];

/**
 * The systems' own fonts under one name, each scaled so that lines break alike: Linux, Android, then Windows and Apple.
 * A system skips those that it doesn't have, and uses the last that it has.
 * Firefox loads no fallback for text while its own font is loading. So `html` has only the fallback of the text, and
 * `head` that of the headings, with an indent in `ch`: both make Firefox load it early.
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
