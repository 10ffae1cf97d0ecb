import { type Column, findColumns, isEmailColumn } from './column-meaning.ts';
import { EMAIL_NAMES, OPTED_OUT_FILES, OUT_FILES, simplify } from './column-names.ts';
import { type CsvRow, DELIMITERS, MAX_BROKEN, readCsv } from './csv.ts';

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
  const columns = findColumns(heading.cells, filled);
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
