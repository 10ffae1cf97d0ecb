import { LINE_BREAKS } from '../markdown/markdown.ts';

/**
 * Cleans what the owner typed or pasted. Letters are composed, as they are read from files; characters that can't be
 * seen, which contact lists and word processors put around what is copied, go; and every line break is `\n`.
 */
export function cleanTyped(text: string): string {
  return text.normalize('NFC').replaceAll(LINE_BREAKS, '\n').replaceAll(INVISIBLE, '');
}

/** Control characters, and marks of direction and width; those that join emoji and letters (U+200C, U+200D) stay. */
const INVISIBLE = /[^\P{Cc}\t\n]|[\u200B\u200E\u200F\u202A-\u202E\u2060\uFEFF]/gu;
