/**
 * Cleans what the owner typed or pasted. Letters are composed, as they are read from files; characters that can't be
 * seen, which contact lists and word processors put around what is copied, go; and a space that Macs type beside a sign
 * of Markdown is made one that Markdown knows.
 * @returns lines that end with `\n`
 */
export function cleanTyped(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/^([ \t]*(?:#{1,6}|[-*+>]|\d+\.))\u00A0/gm, '$1 ');
}

/** Control characters, and marks of direction and width; those that join emoji and letters (U+200C, U+200D) stay. */
const INVISIBLE = /[^\P{Cc}\t\n]|[\u200B\u200E\u200F\u202A-\u202E\u2060\uFEFF]/gu;
