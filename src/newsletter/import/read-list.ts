import {
  EMAIL_NAMES,
  EMAIL_OF_ANOTHER,
  AGREED_NAMES,
  BLANK_WORDS,
  CLEAR_OUT_WORDS,
  COLUMN_NAMES,
  IN_WORDS,
  LEFT_NAMES,
  MAY_HOLD_EMAILS,
  listValues,
  MAYBE_STATUS,
  type Meaning,
  NO_WORDS,
  OTHER_THINGS,
  OPTED_OUT_FILES,
  OUT_FILES,
  OUT_WORDS,
  SEPARATOR,
  simplify,
} from './list-columns.ts';
import { type CsvRow, DELIMITERS, MAX_BROKEN, readCsv } from './csv.ts';
import { readDate } from './list-dates.ts';

/** A column to read. Of several with the same meaning, the lowest rank comes first, then the leftmost. */
export type Column = { name: string; meaning: Meaning; index: number; rank: number };

/** A file of people, with its columns identified. */
export type ListFile = {
  name: string;
  columns: Column[];
  /** The names of the other columns. */
  ignored: string[];
  /** The rows below the header that aren't empty. */
  rows: CsvRow[];
  /** The character that separates cells. */
  delimiter: string;
  /** Lines that could not be read. */
  broken: { line: number; expected: string }[];
  /** How many lines come before the header, and how many rows are empty. */
  beforeHeading: number;
  empty: number;
  /** How many cells the header has. */
  width: number;
  /** Whether the file's name says that nobody in it is subscribed, and whether they have all unsubscribed. */
  isUnsubscribedExport: boolean;
  isOptedOutExport: boolean;
};

/**
 * Reads a file of people from any tool: finds its delimiter, its header, and what its columns mean.
 * @param text as `decodeListFile` returns it
 * @param name the file's name, with or without its folder
 * @throws unless exactly one column holds addresses
 */
export function readList(text: string, name: string): ListFile {
  const plain = unwrapLines(text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n'));
  const found = findHeading(plain);
  if (found === undefined) {
    throw new Error(`${name}: expected CSV whose first line names its columns, one of them "email"`);
  }
  const { rows, broken } = readAll(plain, found.delimiter, name);
  const heading = rows.find(({ line }) => line === found.line)!;
  const below = rows.filter(({ line }) => line > heading.line);
  const filled = below.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const columns = identifyColumns(heading.cells, filled);
  rejectTwoEmailColumns(columns, filled, name);
  const fileName = name.replace(/^.*[/\\]/, '');
  return {
    name,
    columns,
    ignored: heading.cells.filter((cell, index) => cell !== '' && !columns.some((column) => column.index === index)),
    rows: filled,
    delimiter: found.delimiter,
    broken: broken
      .filter((line) => line > heading.line)
      .map((line) => ({ line, expected: 'expected a quotation mark at both ends of a cell, or at neither' })),
    beforeHeading: heading.line - 1,
    empty: below.length - filled.length,
    width: heading.cells.findLastIndex((cell) => cell !== '') + 1,
    isUnsubscribedExport: OUT_FILES.test(fileName),
    isOptedOutExport: OPTED_OUT_FILES.test(fileName),
  };
}

/** Excel puts quotation marks around each line of a CSV file that it read as one column. */
function unwrapLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  const isWrapped = lines.every((line) => /^"(?:[^"]|"")*"$/.test(line)) && /[,;\t]/.test(lines[0]!);
  return isWrapped ? lines.map((line) => line.slice(1, -1).replaceAll('""', '"')).join('\n') : text;
}

function readAll(text: string, delimiter: string, name: string) {
  const { rows, broken } = readCsv(text, delimiter);
  if (broken.length <= MAX_BROKEN) return { rows, broken };
  throw new Error(`${name}: more than ${MAX_BROKEN} lines have unclosed quotation marks; is this CSV?`);
}

/** Notes, or a line such as `sep=;`, may come before the header. */
const MAX_LINES_BEFORE = 50;
const SAMPLE = 1000;

/** Tries each delimiter. @returns the header with the most cells, preferably one with a known column name */
function findHeading(text: string): { line: number; delimiter: string } | undefined {
  const found = DELIMITERS.flatMap((delimiter) => {
    const { rows } = readCsv(text, delimiter, SAMPLE);
    const first = rows.slice(0, MAX_LINES_BEFORE);
    const usual = first.find(({ cells }) => cells.some((cell) => EMAIL_NAMES.includes(simplify(cell))));
    const heading = usual ?? first.find(({ cells }, index) => holdsEmails(cells, rows.slice(index + 1)));
    return heading === undefined ? [] : [{ ...heading, delimiter, isUsual: usual !== undefined }];
  });
  return found.toSorted(
    (one, other) => Number(other.isUsual) - Number(one.isUsual) || other.cells.length - one.cells.length,
  )[0];
}

function holdsEmails(heading: string[], rows: CsvRow[]): boolean {
  const isPerson = heading.some((cell) => cell.includes('@'));
  return !isPerson && heading.some((cell, index) => isEmailColumn(simplify(cell), index, rows));
}

function isEmailColumn(name: string, index: number, rows: CsvRow[]): boolean {
  if (!MAY_HOLD_EMAILS.test(name) || EMAIL_OF_ANOTHER.test(name)) return false;
  const filled = rows.map(({ cells }) => cells[index] ?? '').filter(Boolean);
  return filled.some((cell) => cell.includes('@')) && !filled[0]!.startsWith('http');
}

function identifyColumns(heading: string[], rows: CsvRow[]): Column[] {
  return heading.flatMap((cell, index): Column[] => {
    const name = simplify(cell);
    const words = rows.map(({ cells }) => simplify(cells[index] ?? '')).filter((word) => !BLANK_WORDS.has(word));
    const meaning = findMeaning(name, index, rows, words);
    if (meaning === undefined) return [];
    const isUsual = meaning !== 'email' || EMAIL_NAMES.includes(name);
    return [{ name: cell, meaning, index, rank: isUsual ? Math.max(0, COLUMN_NAMES[meaning]?.indexOf(name) ?? 0) : 1 }];
  });
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

/** @throws if it isn't clear which of two columns holds the email address that the person signed up with */
function rejectTwoEmailColumns(columns: Column[], rows: CsvRow[], file: string): void {
  const names = columns
    .filter(({ meaning, rank }) => meaning === 'email' && rank === 0)
    .filter(({ index }) => rows.some(({ cells }) => cells[index]))
    .map(({ name }) => `"${name}"`);
  if (names.length < 2) return;
  throw new Error(
    `${file}: expected one column of email addresses, but found ${names.join(' and ')}; remove the others`,
  );
}
