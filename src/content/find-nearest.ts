import { closest, distance } from 'fastest-levenshtein';

/** The known word that is meant by a misspelt one, if one is near enough. */
export function findNearest(word: string, known: string[]): string | undefined {
  if (known.length === 0) return undefined;
  const nearest = closest(word, known);
  return distance(word.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, word.length / 3) ? nearest : undefined;
}
