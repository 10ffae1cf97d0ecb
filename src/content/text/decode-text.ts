import { LINE_BREAKS } from '../markdown/markdown.ts';
import { removeInvisible } from './clean-typed.ts';
import type { SourceError } from './yaml-text.ts';

/**
 * Decodes a file of content/ as UTF-8, without a byte order mark and with lines separated by `\n`: editors on Windows
 * write a byte order mark and CRLF. Invisible characters are removed, as they are from the desk's forms.
 * @returns the text, and what is wrong with the file; no text if it isn't UTF-8
 */
export function decodeText(bytes: Buffer): { text?: string; errors: SourceError[] } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // UTF-16 without a byte order mark is valid UTF-8 with a zero byte next to each letter.
    if (!text.includes('\0')) {
      // Unicode's other line breaks would end a line of YAML early.
      const lines = removeInvisible(text.normalize('NFC').replaceAll(/\r\n?/g, '\n').replaceAll(LINE_BREAKS, ' '));
      return { text: lines, errors: [...findConflict(lines), ...findDamage(lines)] };
    }
  } catch {
    // Reported below.
  }
  const valid = bytes.toString('utf8').split(/[\uFFFD\0]/, 1)[0]!;
  // UTF-16 has a zero byte in its first character, and never two in a row.
  const isDamaged = bytes.includes('\0') && (bytes.includes('\0\0') || !bytes.subarray(0, 4).includes(0));
  const message = isDamaged
    ? 'this file is damaged: zeros begin here, as after a power failure. Restore an earlier version, from Git for example'
    : 'this file is not saved as UTF-8. Save it again with that encoding';
  return { errors: [{ line: valid.split('\n').length, column: 1, message }] };
}

/** Finds Git's conflict markers, even if some have been removed. A line of `=======` alone is Markdown's underline. */
function findConflict(text: string): SourceError[] {
  const start = text.split('\n').findIndex((line) => /^\s*(<{7}|>{7}|\|{7})(\s|$)/.test(line));
  if (start < 0) return [];
  const message =
    'two versions of this file conflict here, and Git kept both. ' +
    'Keep one, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>';
  return [{ line: start + 1, column: 1, message }];
}

/** Finds the character that programs write in place of one that they can't read. */
function findDamage(text: string): SourceError[] {
  if (!text.includes('\uFFFD')) return [];
  const before = text.split('\uFFFD', 1)[0]!.split('\n');
  const message = 'the character \uFFFD stands for one that was lost. Type the original';
  return [{ line: before.length, column: before.at(-1)!.length + 1, message }];
}
