import type { Mistake } from './yaml-text.ts';

/**
 * Decodes a file of content/ as UTF-8, without a byte order mark and with lines separated by `\n`: editors on Windows
 * write both.
 * @returns the text, or else the mistake
 */
export function decodeText(bytes: Buffer): { text?: string; mistakes: Mistake[] } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // UTF-16 without a byte order mark is valid UTF-8 with a zero beside each letter.
    if (!text.includes('\0')) return { text: text.normalize('NFC').replaceAll('\r\n', '\n'), mistakes: [] };
  } catch {
    // Reported below.
  }
  const valid = bytes.toString('utf8').split(/[\uFFFD\0]/, 1)[0]!;
  const message = 'this file is not saved as UTF-8. Save it again with that encoding';
  return { mistakes: [{ line: valid.split('\n').length, column: 1, message }] };
}
