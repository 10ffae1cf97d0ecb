/** What every command takes. */
export type Answer = { json?: boolean };

export function print(value: unknown): void {
  write(`${JSON.stringify(value, undefined, 2)}\n`);
}

export function write(text: string): void {
  process.stdout.write(text);
}

/** `2026-03-01 14:05`, in UTC. */
export function forPeople(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
