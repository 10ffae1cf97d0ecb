/** A place in a text; both count from 1. */
export type Place = { line: number; column: number };

export function findPlace(text: string, offset: number): Place {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
