/** Prints a line with its time. Without any address of a person. */
export function log(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}

/** Prints a line of the start as it is: whoever started the server reads these by how they begin. */
export function announce(line: string): void {
  process.stdout.write(`${line}\n`);
}
