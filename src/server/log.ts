import { stripControlChars } from '#shared/strip-control-chars.ts';

/** Prints a line, which must not contain an email address, with its time. Untrusted text can't control the terminal. */
export function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${stripControlChars(line)}\n`);
}

/** Prints a startup line without a time, because programs that start the server parse it. */
export function announce(line: string): void {
  process.stdout.write(`${stripControlChars(line)}\n`);
}
