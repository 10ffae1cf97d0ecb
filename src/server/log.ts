import { stripControlChars } from '#shared/strip-control-chars.ts';

/** Prints a line with its time, without email addresses. Text of strangers can't control the terminal. */
export function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${stripControlChars(line)}\n`);
}

/** Prints a line of the start unchanged, since programs that start the server parse it. */
export function announce(line: string): void {
  process.stdout.write(`${stripControlChars(line)}\n`);
}
