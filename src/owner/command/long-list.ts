import { write, writePortion } from './print.ts';
import { formatRows, measureWidths } from './table.ts';

/**
 * Prints a list a portion at a time, so that a long one fits in memory: in JSON its rows, or a table.
 * @param options.headings of the columns, which are as wide as the first portion needs
 * @param options.empty the sentence where there are no rows
 */
export async function printList<Row>(
  portions: AsyncIterable<Row[]>,
  options: { json: boolean | undefined; headings: string[]; toCells: (row: Row) => string[]; empty: string },
): Promise<void> {
  const { json, headings, toCells, empty } = options;
  if (json) {
    for await (const text of formatJson(portions)) await writePortion(text);
    return;
  }
  let widths: number[] | undefined;
  for await (const portion of portions) {
    if (portion.length === 0) continue;
    const rows = portion.map(toCells);
    const lines = widths === undefined ? [headings, ...rows] : rows;
    widths ??= measureWidths(lines);
    await writePortion(formatRows(lines, widths));
  }
  if (widths === undefined) write(empty);
}

/** A list as JSON, a line for each row. */
export async function* formatJson(portions: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const portion of portions) {
    if (portion.length === 0) continue;
    yield before + portion.map((row) => JSON.stringify(row)).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
