import { write } from './print.ts';
import { formatRows, measureWidths } from './table.ts';

/** Prints a long list in JSON, a portion at a time, so that it fits in memory; the text is that of the whole array. */
export async function printList(portions: AsyncIterable<unknown[]>): Promise<void> {
  let isFirst = true;
  write('[');
  for await (const portion of portions) {
    for (const row of portion) {
      write(`${isFirst ? '' : ','}\n${JSON.stringify(row, undefined, 2).replace(/^/gm, '  ')}`);
      isFirst = false;
    }
  }
  write(isFirst ? ']\n' : '\n]\n');
}

/**
 * Writes a long list as a table, a portion at a time, so that it fits in memory. A column grows where a later portion
 * needs more room.
 * @param options.empty the sentence where there are no rows; without it the headings alone
 */
export async function writeTable(
  headings: string[],
  portions: AsyncIterable<string[][]>,
  options: { empty?: string } = {},
): Promise<void> {
  let widths: number[] | undefined;
  for await (const rows of portions) {
    const lines = widths === undefined ? [headings, ...rows] : rows;
    widths = measureWidths(lines, widths);
    write(formatRows(lines, widths));
  }
  if (widths === undefined) write(options.empty ?? formatRows([headings], []));
}

/** Changes each row of a long list. */
export async function* mapPortions<Row, Changed>(
  portions: AsyncIterable<Row[]>,
  change: (row: Row) => Changed,
): AsyncGenerator<Changed[]> {
  for await (const portion of portions) yield portion.map(change);
}
