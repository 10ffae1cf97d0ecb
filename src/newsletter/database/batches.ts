import { setImmediate as yieldToOthers } from 'node:timers/promises';

/**
 * Repeats a small piece of work until it changes nothing more, letting the server answer requests in between.
 * @param work returns how many rows it has changed
 * @returns how many rows it changed in all
 */
export async function repeatInBatches(work: () => Promise<number>): Promise<number> {
  for (let total = 0; ; await yieldToOthers()) {
    const changed = await work();
    if (changed === 0) return total;
    total += changed;
  }
}

/**
 * Reads a large table in batches, and lets the server answer requests in between.
 * @param read returns the rows after `afterId`, which is empty at first; `after` is that row
 */
export async function* readInBatches<Row extends { id: string }>(
  read: (afterId: string, after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; await yieldToOthers()) {
    const batch = await read(last?.id ?? '', last);
    if (batch.length === 0) return;
    yield batch;
    last = batch.at(-1);
  }
}

/** Splits rows into batches for one statement or transaction each. */
export function* splitIntoBatches<Row>(rows: Row[], size: number): Generator<Row[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
}

/** The number of rows read at a time. */
export const READ_BATCH = 1000;

/** The number of rows or people that one transaction deletes: few enough that nobody notices the wait. */
export const DELETE_BATCH = 50;
