import { chooseFontFiles, type FontFile } from '#content/brand/font-families.ts';
import type { Brand } from '#content/schemas/brand-schema.ts';
import type { SitePage } from '#layout/page.ts';

/** The parts of a page that its link preview shows. */
export type SharedPage = Pick<SitePage, 'path' | 'share'>;

/**
 * Chooses fonts for the pictures of link previews: the brand's and, for letters that these lack, others.
 * @returns `missing`: the letters that no font has
 */
export function chooseShareFonts({ fonts }: Brand, text: string): { files: FontFile[]; missing: string[] } {
  const letters = [...new Set(text)].filter((letter) => !INVISIBLE.test(letter));
  const isIn = (files: FontFile[], letter: string, use: FontFile['use']) =>
    files.some((file) => file.use === use && file.characters.includes(letter));
  const findMissing = (files: FontFile[]) =>
    letters.filter((letter) => !isIn(files, letter, 'headings') || !isIn(files, letter, 'text'));
  const own = chooseFontFiles(fonts, letters.join(''));
  const files = [...own, ...chooseFontFiles(SPARE_FONTS, findMissing(own).join(''))];
  return { files, missing: findMissing(files) };
}

/** @returns the letters of these pages' link previews that no font has */
export function findUndrawn(pages: SharedPage[], agencyName: string, brand: Brand): string[] {
  const text = pages.map(({ share }) => share.eyebrow + share.headline).join('') + agencyName;
  // Every font has basic Latin, and reading fonts takes a while.
  return chooseShareFonts(brand, toDrawable(text).replaceAll(/[ -~]/g, '')).missing;
}

/** Composes letters and their accents, as fonts have them, and makes apostrophes curly. */
export function toDrawable(text: string): string {
  return text.normalize('NFC').replaceAll("'", '’');
}

/** Spaces, line breaks, joiners, and characters that select an emoji's colour. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Z}\p{Variation_Selector}]/u;

/** Fonts with Cyrillic and Greek. */
const SPARE_FONTS: Brand['fonts'] = { headings: 'source-serif-4', text: 'source-sans-3' };
