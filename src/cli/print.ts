import { once } from 'node:events';
import { OWNERS_TIME_ZONE } from '#shared/owners-clock.ts';
import { stripControlChars } from '#shared/strip-control-chars.ts';

/** Options of every command. */
export type JsonOption = { json?: boolean | undefined };

/** Prints a command's result: its data as JSON, or as text. */
export function printResult({ json }: JsonOption, data: unknown, text: string): void {
  write(json ? `${JSON.stringify(data, undefined, 2)}\n` : text);
}

/**
 * Formats rows for all commands, one line each. Nothing in a cell can break or colour its line.
 * @param rows an empty cell is shown as a dash
 */
export function formatRows(rows: string[][]): string {
  return rows.map((cells) => `${cells.map((cell) => stripControlChars(cell) || '-').join('  ')}\n`).join('');
}

/** Prints lines without the control characters that visitors, mail servers or the sheet may have sent. */
export function write(text: string): void {
  process.stdout.write(stripAllButLineEnds(text));
}

/** Prints a batch once the reader has taken the previous one, so that a long list doesn't pile up in memory. */
export async function writeBatch(text: string): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  write(text);
}

/** Prints lines that aren't part of the result. */
export function writeError(text: string): void {
  process.stderr.write(stripAllButLineEnds(text));
}

function stripAllButLineEnds(text: string): string {
  return text.replace(/(?!\r?\n)\p{Cc}/gu, ' ');
}

/** Formats a time as `2026-03-01 14:05 London`. */
export function formatTime(time: string): string {
  return `${CLOCK.format(Date.parse(time))} London`;
}

/** Swedish dates and times look like ISO 8601. */
const CLOCK = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: OWNERS_TIME_ZONE });
