import type { CsvRow } from './csv.ts';
import {
  AGREED_NAMES,
  BLANK_WORDS,
  CLEAR_OUT_WORDS,
  COLUMN_NAMES,
  EMAIL_NAMES,
  EMAIL_OF_ANOTHER,
  IN_WORDS,
  LEFT_NAMES,
  listValues,
  MAY_HOLD_EMAILS,
  MAYBE_STATUS,
  type Meaning,
  NO_WORDS,
  OTHER_THINGS,
  OUT_WORDS,
  SEPARATOR,
  simplify,
} from './column-names.ts';
import { readDate } from './list-dates.ts';

/** A column to read. Of several with the same meaning, the lowest rank comes first, then the leftmost. */
export type Column = { name: string; meaning: Meaning; index: number; rank: number };

/**
 * Finds the columns to read, and what each means, by its name and its values.
 * @param heading the cells of the header
 * @param rows the rows below it
 */
export function findColumns(heading: string[], rows: CsvRow[]): Column[] {
  return heading.flatMap((cell, index): Column[] => {
    const name = simplify(cell);
    const words = rows.map(({ cells }) => simplify(cells[index] ?? '')).filter((word) => !BLANK_WORDS.has(word));
    const meaning = findMeaning(name, index, rows, words);
    if (meaning === undefined) return [];
    const isUsual = meaning !== 'email' || EMAIL_NAMES.includes(name);
    return [{ name: cell, meaning, index, rank: isUsual ? Math.max(0, COLUMN_NAMES[meaning]?.indexOf(name) ?? 0) : 1 }];
  });
}

/** Whether a column with this name, simplified, holds the email addresses of the file's people. */
export function isEmailColumn(name: string, index: number, rows: CsvRow[]): boolean {
  if (!MAY_HOLD_EMAILS.test(name) || EMAIL_OF_ANOTHER.test(name)) return false;
  const filled = rows.map(({ cells }) => cells[index] ?? '').filter(Boolean);
  return filled.some((cell) => cell.includes('@')) && !filled[0]!.startsWith('http');
}

function findMeaning(name: string, index: number, rows: CsvRow[], words: string[]): Meaning | undefined {
  if (name === '') return undefined;
  if (EMAIL_NAMES.includes(name) || isEmailColumn(name, index, rows)) return 'email';
  const known = words.filter((word) => IN_WORDS.has(word) || OUT_WORDS.has(word));
  const isYesOrNo = known.length > 0 || words.some((word) => NO_WORDS.has(word));
  if (name === 'confirmed' && !isYesOrNo && !hasDates(index, rows)) return undefined;
  for (const [meaning, names] of Object.entries(COLUMN_NAMES)) if (names.includes(name)) return meaning as Meaning;
  const fits = (pattern: RegExp) => pattern.test(name);
  if (OTHER_THINGS.some(fits)) return undefined;
  if (MAYBE_STATUS.test(name) && known.length > 0 && known.length >= words.length / 2) return 'status';
  if (LEFT_NAMES.some(fits)) return 'left';
  if (AGREED_NAMES.some(fits)) return 'agreed';
  const isOut = MAYBE_STATUS.test(name) ? OUT_WORDS : CLEAR_OUT_WORDS;
  const saysSo = (value: string) => isOut.has(value);
  // Splitting every cell would double the time that reading a file takes.
  const hasTag = ({ cells: { [index]: cell = '' } }: CsvRow) => SEPARATOR.test(cell) && listValues(cell).some(saysSo);
  return words.some(saysSo) || rows.some(hasTag) ? 'agreed' : undefined;
}

function hasDates(index: number, rows: CsvRow[]): boolean {
  return rows.some(({ cells }) => readDate(cells[index] ?? '') !== undefined);
}
