import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/**
 * Formats lines of CSV (RFC 4180) with every cell quoted. A cell that a spreadsheet would run as a formula is prefixed
 * with an apostrophe (OWASP, CSV injection).
 */
export function formatLines(rows: (string | null | undefined)[][]): string {
  return stringify(rows, {
    quoted: true,
    quoted_empty: true,
    record_delimiter: 'windows',
    cast: { string: (cell) => (FORMULA.test(cell) ? `'${cell}` : cell) },
  });
}

/** The byte order mark, which tells a spreadsheet that a file is UTF-8. */
export const UTF8_BOM = '\uFEFF';

const FORMULA = /^[=+\-@＝＋－＠\t\r\n']/;

/** A row of a file, with its first and last line, counted from 1. */
export type CsvRow = { line: number; end: number; cells: string[] };

/** In some locales, spreadsheets separate cells with a semicolon; some programs use a tab or a pipe. */
export const DELIMITERS = [',', ';', '\t', '|'];

/**
 * Reads CSV as `formatLines` and other programs write it. An empty line is a row with one empty cell.
 * @param text with lines that end with a line feed
 * @param limit the maximum number of rows
 * @returns the rows, and the numbers of lines with malformed quotation marks; reading continues after each, up to
 *   `MAX_BROKEN`
 */
export function readCsv(text: string, delimiter: string, limit = Infinity): { rows: CsvRow[]; broken: number[] } {
  // A row rarely has more than twenty lines.
  const lines = text.split('\n', limit === Infinity ? undefined : 20 * limit);
  const rows: CsvRow[] = [];
  const broken: number[] = [];
  let last = 0;
  let size = BLOCK;
  while (last < lines.length && rows.length < limit && broken.length <= MAX_BROKEN) {
    const start = last;
    const isEnd = start + size >= lines.length;
    try {
      parse(lines.slice(start, start + size).join('\n'), {
        delimiter,
        // A tab would be trimmed like a space.
        trim: delimiter !== '\t',
        relax_column_count: true,
        relax_quotes: true,
        // The last rows of a block may be incomplete, except at the end of the file.
        ...(!isEnd && { to: Math.min(BLOCK / 2, limit - rows.length) }),
        ...(isEnd && limit < Infinity && { to: limit - rows.length }),
        on_record: (cells: string[], { lines: end }) => {
          rows.push({ line: last + 1, end: start + end, cells: cells.map((cell) => withoutMark(cell.trim())) });
          last = start + end;
        },
      });
      if (isEnd) break;
      size = BLOCK;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      if (!isEnd && last > start) continue;
      if (!isEnd) {
        // Either a row has very many lines, or a quotation mark isn't closed: only the rest of the file can tell.
        size = lines.length;
        continue;
      }
      broken.push(last + 1);
      last += 1;
      size = BLOCK;
    }
  }
  return { rows, broken };
}

/** The number of lines that are parsed at a time, so that no copy of the whole file is needed. */
const BLOCK = 4000;

/** If more lines are malformed, the delimiter must be wrong. */
export const MAX_BROKEN = 200;

/** Removes the apostrophe that keeps a spreadsheet from reading a cell as a formula or a number. */
function withoutMark(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
