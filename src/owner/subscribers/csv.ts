import { type CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/**
 * Lines of CSV (RFC 4180), every cell quoted, that a spreadsheet opens without running anything in them: a cell that
 * would begin a formula gets an apostrophe before it (OWASP, CSV injection).
 */
export function csvLines(rows: (string | null | undefined)[][]): string {
  return stringify(rows, {
    quoted: true,
    quoted_empty: true,
    record_delimiter: 'windows',
    cast: { string: (cell) => (FORMULA.test(cell) ? `'${cell}` : cell) },
  });
}

/** The mark that tells a spreadsheet that a file is UTF-8. */
export const UTF8_MARK = '\uFEFF';

type CsvRow = { line: number; cells: Record<string, string> };

/**
 * Reads CSV with the names of its columns in the first line, as `csvLines` writes it.
 * @returns the rows with the lines on which they end; a row of another length is named in `broken`
 * @throws when the text is no CSV
 */
export function readCsv(text: string): { columns: string[]; rows: CsvRow[]; broken: number[] } {
  const broken: number[] = [];
  let columns: string[] = [];
  const rows = parse<CsvRow, Record<string, string>>(text, {
    bom: true,
    trim: true,
    skip_empty_lines: true,
    delimiter: findDelimiter(text),
    skip_records_with_error: true,
    on_skip: (error: CsvError | undefined) => void broken.push(Number(error?.lines)),
    cast: withoutMark,
    columns: (header: string[]) => (columns = header.map((name) => name.toLowerCase())),
    on_record: (cells, { lines }) => ({ line: lines, cells }),
  });
  return { columns, rows, broken };
}

/** Spreadsheets of other countries separate cells by a semicolon, and some programs by a tab. */
function findDelimiter(text: string): string {
  const [headings = ''] = text.split('\n', 1);
  return [',', ';', '\t'].find((each) => headings.includes(each)) ?? ',';
}

const FORMULA = /^[=+\-@\t\r']/;

function withoutMark(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
