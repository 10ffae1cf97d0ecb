import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkitten';
import type { Brand } from '../schemas/brand-schema.ts';
import { HEADING_WEIGHT } from '#shared/design-tokens.ts';

/** A font file with characters that the site uses. */
export type FontFile = {
  /** The Fontsource package that the file is from. */
  source: string;
  family: string;
  isSerif: boolean;
  use: 'headings' | 'text';
  font: Buffer;
  /** The characters to take from this file. */
  characters: string;
  /** Whether this is the first file of the family; the fallback's metrics are made from it. */
  isFirst: boolean;
  axes: Record<string, number | { min: number; max: number }>;
  weight: string;
};

type Axis = { min: string; max: string };
type Metadata = { family: string; category: string; subsets: string[]; variable: Record<string, Axis> };

/**
 * Chooses the font files that a text needs from a brand's two families. Characters that neither family has are shown
 * in the visitor's own fonts.
 * @param characters of the text, each once
 */
export function chooseFontFiles(fonts: Brand['fonts'], characters: string): FontFile[] {
  return (['headings', 'text'] as const).flatMap((use) => {
    const folder = findPackage(fonts[use])!;
    const { family, category, subsets, variable } = readMetadata(folder);
    const ranges: Record<string, string> = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8'));
    const axis = ['standard', 'opsz', 'wght'].find((name) => existsSync(nameFile(folder, fonts[use], 'latin', name)));
    // Latin first: a character that several subsets have is taken from there.
    const ordered = ['latin', ...subsets.filter((subset) => subset !== 'latin')];
    const chosen = new Set<string>();
    return ordered.flatMap((subset): FontFile[] => {
      const isInRange = parseRange(ranges[subset] ?? '');
      const inRange = [...characters].filter((each) => !chosen.has(each) && isInRange(each.codePointAt(0)!));
      if (inRange.length === 0) return [];
      const font = readFileSync(nameFile(folder, fonts[use], subset, axis ?? 'wght'));
      // A range has more characters than the font.
      const glyphs = create(font) as Font;
      const found = inRange.filter((each) => glyphs.hasGlyphForCodePoint(each.codePointAt(0)!));
      if (found.length === 0) return [];
      const isFirst = chosen.size === 0;
      for (const each of found) chosen.add(each);
      const isSerif = category === 'serif';
      return [
        {
          source: fonts[use],
          family,
          isSerif,
          use,
          font,
          characters: found.join(''),
          isFirst,
          ...chooseAxes(variable, use),
        },
      ];
    });
  });
}

/** @returns the licence of an installed family, from its package */
export function readLicence(id: string): string {
  const folder = findPackage(id)!;
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `\n## ${name} - ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
}

/** @returns the family's name and kind, or undefined if its package is not installed */
export function readFamily(id: string): { name: string; isSerif: boolean } | undefined {
  const folder = findPackage(id);
  if (folder === undefined) return undefined;
  const { family, category } = readMetadata(folder);
  return { name: family, isSerif: category === 'serif' };
}

/** @returns the names of every family that a brand may choose */
export function listInstalledFamilies(): string[] {
  const found = findPackage('newsreader');
  if (found === undefined) {
    throw new Error(
      'The packages that publishing needs are not installed next to the build. Run npm install in that folder',
    );
  }
  const folder = dirname(found);
  return readdirSync(folder)
    .filter((id) => existsSync(join(folder, id, 'unicode.json')))
    .toSorted();
}

/** Headings have one weight, designed for their size; text has all weights that the styles use. */
function chooseAxes({ opsz, wght }: Metadata['variable'], use: FontFile['use']): Pick<FontFile, 'axes' | 'weight'> {
  const within = ({ min, max }: Axis, value: number) => Math.min(Math.max(value, Number(min)), Number(max));
  const axes: FontFile['axes'] = {};
  if (opsz) axes.opsz = within(opsz, use === 'headings' ? 72 : 16);
  if (!wght) return { axes, weight: '400' };
  if (use === 'headings') {
    return { axes: { ...axes, wght: within(wght, HEADING_WEIGHT) }, weight: String(HEADING_WEIGHT) };
  }
  const [min, max] = [within(wght, 400), within(wght, 700)];
  return { axes: { ...axes, wght: { min, max } }, weight: `${min} ${max}` };
}

function nameFile(folder: string, id: string, subset: string, axis: string): string {
  return join(folder, 'files', `${id}-${subset}-${axis}-normal.woff2`);
}

/** @param range in CSS syntax, such as `U+0000-00FF,U+0131` */
function parseRange(range: string): (code: number) => boolean {
  const parts = range.split(',').map((part) =>
    part
      .replace('U+', '')
      .split('-')
      .map((code) => Number.parseInt(code, 16)),
  );
  return (code) => parts.some(([first = NaN, last = first]) => code >= first && code <= last);
}

function readMetadata(folder: string): Metadata {
  return JSON.parse(readFileSync(join(folder, 'metadata.json'), 'utf8'));
}

function findPackage(id: string): string | undefined {
  try {
    const file = findPackageJSON(`@fontsource-variable/${id}`, import.meta.url);
    return file && dirname(file);
  } catch {
    return undefined;
  }
}
