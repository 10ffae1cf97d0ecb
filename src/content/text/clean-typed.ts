import { LINE_BREAKS } from '../markdown/markdown.ts';

/**
 * Cleans what the owner typed or pasted. Normalises to NFC, as files are; removes invisible characters, which contact
 * lists and word processors add around copied text; and makes every line break `\n`.
 */
export function cleanTyped(text: string): string {
  return removeInvisible(text.normalize('NFC').replaceAll(LINE_BREAKS, '\n'));
}

export function removeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, '');
}

/** Control characters and direction and zero-width marks, except the joiners in emoji and letters (U+200C, U+200D). */
const INVISIBLE = /[^\P{Cc}\t\n]|[\u200B\u200E\u200F\u202A-\u202E\u2060\uFEFF]/gu;
