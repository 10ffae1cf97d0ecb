import { stripControlChars } from '#shared/strip-control-chars.ts';

/** Prints a line with its time, without email addresses. Untrusted text can't control the terminal. */
export function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${stripControlChars(line)}\n`);
}

/** Prints a startup line unchanged, since programs that start the server parse it. */
export function announce(line: string): void {
  process.stdout.write(`${stripControlChars(line)}\n`);
}
