import { withoutControls } from '#shared/without-controls.ts';

/** Prints a line with its time. Without any address of a person; what others sent cannot steer a terminal. */
export function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${withoutControls(line)}\n`);
}

/** Prints a line of the start as it is: programs that start the server read these by how they begin. */
export function announce(line: string): void {
  process.stdout.write(`${withoutControls(line)}\n`);
}
