import { closest, distance } from 'fastest-levenshtein';

/** The known word that is meant by a misspelt one, if one is near enough; capitals make no difference. */
export function findNearest(word: string, known: string[]): string | undefined {
  if (known.length === 0) return undefined;
  const inLowerCase = known.map((each) => each.toLowerCase());
  const nearest = closest(word.toLowerCase(), inLowerCase);
  if (distance(word.toLowerCase(), nearest) > Math.max(2, word.length / 3)) return undefined;
  return known[inLowerCase.indexOf(nearest)];
}
