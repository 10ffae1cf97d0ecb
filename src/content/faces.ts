import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, type Font } from 'fontkitten';
import type { Brand } from '#shared/brand.ts';
import { HEADING_WEIGHT } from '#shared/tokens.ts';

/** One file of a family that holds letters which the site uses. */
export type Face = {
  /** The Fontsource package that the file is from. */
  source: string;
  /** As styles name it, whichever family the file is of. */
  family: string;
  isSerif: boolean;
  use: 'headings' | 'text';
  font: Buffer;
  /** The letters that are taken from this file. */
  letters: string;
  /** Whether these are the first letters of the family; the fallback's metrics are made from them. */
  isFirst: boolean;
  axes: Record<string, number | { min: number; max: number }>;
  weight: string;
};

/** Used where a family has no letters of a script: Latin Extended, Cyrillic, Greek and Vietnamese. */
const RESERVES = { serif: 'source-serif-4', sans: 'source-sans-3' };

/** Scripts in the order in which they are tried; a family has some of them. */
const SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'];

/**
 * Chooses files of a brand's two families, and of those in reserve, that together hold every letter of a text.
 * @param letters each once
 * @returns the faces, and the letters that none of them has
 */
export function chooseFaces(fonts: Brand['fonts'], letters: string): { faces: Face[]; unknown: string } {
  const chosen = (['headings', 'text'] as const).map((use) => chooseFamilyFaces(fonts[use], use, letters));
  return {
    faces: chosen.flatMap(({ faces }) => faces),
    unknown: [...new Set(chosen.flatMap(({ unknown }) => [...unknown]))].join(''),
  };
}

/** @returns the licence of a family that is installed, as its package has it */
export function readLicence(id: string): string {
  const folder = findPackage(id)!;
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `\n## ${name} - ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
}

/** @returns the family's name and kind, or undefined where its package is not installed */
export function readFamily(id: string): { name: string; isSerif: boolean } | undefined {
  const folder = findPackage(id);
  if (folder === undefined) return undefined;
  const { family, category } = JSON.parse(readFileSync(join(folder, 'metadata.json'), 'utf8'));
  return { name: family, isSerif: category === 'serif' };
}

function chooseFamilyFaces(id: string, use: Face['use'], letters: string): { faces: Face[]; unknown: string } {
  const faces: Face[] = [];
  const { name: family, isSerif } = readFamily(id)!;
  let wanted = [...letters];
  const sources = [id, RESERVES[isSerif ? 'serif' : 'sans']];
  for (const [source, file] of sources.flatMap((each) => listFontFiles(each).map((path) => [each, path] as const))) {
    if (wanted.length === 0) break;
    const bytes = readFileSync(file);
    const font = create(bytes) as Font;
    const known = new Set(font.characterSet);
    const found = wanted.filter((letter) => known.has(letter.codePointAt(0)!));
    wanted = wanted.filter((letter) => !known.has(letter.codePointAt(0)!));
    if (found.length === 0) continue;
    const drawn = { family, isSerif, use, ...chooseAxes(font.variationAxes, use) };
    faces.push({ ...drawn, source, font: bytes, letters: found.join(''), isFirst: faces.length === 0 });
  }
  return { faces, unknown: wanted.join('') };
}

/** Headings have one weight, drawn for their size; text has all that the styles use. */
function chooseAxes(has: Font['variationAxes'], use: Face['use']): Pick<Face, 'axes' | 'weight'> {
  const within = (axis: string, value: number) => Math.min(Math.max(value, has[axis]!.min), has[axis]!.max);
  const axes: Face['axes'] = {};
  if (has.opsz) axes.opsz = within('opsz', use === 'headings' ? 72 : 16);
  if (!has.wght) return { axes, weight: '400' };
  if (use === 'headings')
    return { axes: { ...axes, wght: within('wght', HEADING_WEIGHT) }, weight: String(HEADING_WEIGHT) };
  const [min, max] = [within('wght', 400), within('wght', 700)];
  return { axes: { ...axes, wght: { min, max } }, weight: `${min} ${max}` };
}

function listFontFiles(id: string): string[] {
  const folder = findPackage(id)!;
  const names = readdirSync(join(folder, 'files'));
  return SUBSETS.flatMap((subset) =>
    ['standard', 'opsz', 'wght']
      .map((axis) => `${id}-${subset}-${axis}-normal.woff2`)
      .filter((name) => names.includes(name))
      .slice(0, 1)
      .map((name) => join(folder, 'files', name)),
  );
}

function findPackage(id: string): string | undefined {
  const folder = join(import.meta.dirname, '../../node_modules/@fontsource-variable', id);
  return existsSync(folder) ? folder : undefined;
}
