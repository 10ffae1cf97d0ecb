/** Options of every command. */
export type Answer = { json?: boolean };

export function print(value: unknown): void {
  write(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Prints lines. Control characters that strangers, their mail servers or the sheet sent do not reach the terminal. */
export function write(text: string): void {
  process.stdout.write(withoutControls(text));
}

/** The same, where it is not part of the answer. */
export function writeError(text: string): void {
  process.stderr.write(withoutControls(text));
}

function withoutControls(text: string): string {
  return text.replace(/(?!\r?\n)\p{Cc}/gu, ' ');
}

/** `2026-03-01 14:05`, in UTC. */
export function forPeople(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
