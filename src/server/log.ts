import { stripControlChars } from '#shared/strip-control-chars.ts';

/** Prints a line, which names nobody's address, with its time. Text that others sent cannot control a terminal. */
export function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${stripControlChars(line)}\n`);
}

/** Prints a line of the start as it is: programs that start the server read these by how they begin. */
export function announce(line: string): void {
  process.stdout.write(`${stripControlChars(line)}\n`);
}
