import type { Mistake } from './yaml-text.ts';

/**
 * Decodes a file of content/ as UTF-8, without a byte order mark, its lines separated as on any Unix: editors on
 * Windows write both.
 * @returns the text, unless it is not UTF-8, and its mistakes
 */
export function decodeText(bytes: Buffer): { text?: string; mistakes: Mistake[] } {
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    const valid = bytes.toString('utf8').split(/[\uFFFD\0]/, 1)[0]!;
    const advice = 'Save it again with the encoding "UTF-8" (in your editor: Save As or Save with Encoding)';
    const message = `this file is not saved as UTF-8, so its letters cannot be read. ${advice}`;
    return { mistakes: [{ line: valid.split('\n').length, column: 1, message }] };
  }
  const mistakes: Mistake[] = [];
  const visible = removeInvisible(text.normalize('NFC').replaceAll('\r\n', '\n'), mistakes);
  const message =
    'Git found two versions of these lines. Keep one, and take out the lines of <<<<<<<, ======= and >>>>>>>';
  for (const { index } of visible.matchAll(/^<{7} /gm)) mistakes.push({ ...findPlace(visible, index), message });
  return { text: visible, mistakes };
}

/** @returns the line and the column of a character, which count from 1 */
export function findPlace(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // UTF-16 without its mark is valid UTF-8 with a zero beside each letter.
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Characters that came with a pasted text: they may split a word, or make a name that nothing knows. */
function removeInvisible(text: string, mistakes: Mistake[]): string {
  return text.replaceAll(INVISIBLE, (sign, offset: number) => {
    const code = `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
    const isSpace = /\p{Zs}/u.test(sign);
    const message = isSpace
      ? `a space of another kind (${code}) comes before the text. Type the spaces of this line again`
      : `an invisible character (${code}) is here. Delete the letters around it and type them again`;
    mistakes.push({ ...findPlace(text, offset), message });
    return isSpace ? ' '.repeat(sign.length) : '';
  });
}

/** Controls but for tab and line end, a blank of no width, marks of byte order and lines; other blanks that indent. */
const INVISIBLE =
  /(?![\t\n])[\p{Cc}\u200B\u2028\u2029\uFEFF]|(?<=^[^\S\n]*)[\u00A0\u2000-\u200A\u202F\u3000]+(?=\s*[\w-]+:\s)/gmu;
