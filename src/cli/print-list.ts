import { formatJson } from '#newsletter/import/export-list.ts';
import { formatRows, write, writeBatch } from './print.ts';

/**
 * Prints a list in batches, so that a long one doesn't fill memory: as JSON, or with a line for each row.
 * @param options.empty the sentence to print if there are no rows
 */
export async function printList<Row>(
  batches: AsyncIterable<Row[]>,
  options: { json: boolean | undefined; toCells: (row: Row) => string[]; empty: string },
): Promise<void> {
  const { json, toCells, empty } = options;
  if (json) {
    for await (const text of formatJson(batches)) await writeBatch(text);
    return;
  }
  let isEmpty = true;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    isEmpty = false;
    await writeBatch(formatRows(batch.map(toCells)));
  }
  if (isEmpty) write(empty);
}
