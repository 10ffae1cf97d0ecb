import { chooseFontFiles, type FontFile } from '#content/brand/font-families.ts';
import type { Brand } from '#content/schemas/brand-schema.ts';
import type { SitePage } from '#layout/page.ts';

/** A page of whose text a picture is made. */
export type SharedPage = Pick<SitePage, 'path' | 'share'>;

/**
 * Chooses fonts for the pictures of link previews: the brand's and, for letters that they lack, others.
 * @returns `missing`: the letters that no font has
 */
export function chooseShareFonts({ fonts }: Brand, text: string): { files: FontFile[]; missing: string[] } {
  const letters = [...new Set(text)].filter((letter) => !INVISIBLE.test(letter));
  const isIn = (files: FontFile[], letter: string, use: FontFile['use']) =>
    files.some((file) => file.use === use && file.characters.includes(letter));
  const findLacked = (files: FontFile[]) =>
    letters.filter((letter) => !isIn(files, letter, 'headings') || !isIn(files, letter, 'text'));
  const own = chooseFontFiles(fonts, letters.join(''));
  const files = [...own, ...chooseFontFiles(SPARE_FONTS, findLacked(own).join(''))];
  return { files, missing: findLacked(files) };
}

/** @returns the letters that no font has for the pictures of these pages */
export function findUndrawn(pages: SharedPage[], agencyName: string, brand: Brand): string[] {
  const text = pages.map(({ share }) => share.eyebrow + share.headline).join('') + agencyName;
  // Every font has these, and reading fonts takes a while.
  return chooseShareFonts(brand, toDrawable(text).replaceAll(/[ -~]/g, '')).missing;
}

/** Accents as part of their letter, which is how fonts have them, and curly apostrophes. */
export function toDrawable(text: string): string {
  return text.normalize('NFC').replaceAll("'", '’');
}

/** Spaces, breaks, joiners, and what asks for a coloured picture. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Z}\p{Variation_Selector}]/u;

/** Fonts with Cyrillic and Greek. */
const SPARE_FONTS: Brand['fonts'] = { headings: 'source-serif-4', text: 'source-sans-3' };
