import type { Content } from '#shared/content-schema.ts';

/** Basic Latin, the marks that components draw themselves, and every other letter of content/; each once. */
export function findLetters(content: Content): string {
  const basicLatin = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index));
  const letters = new Set([...basicLatin, ...'·–—’…©£€', ...readTexts(content).join('')]);
  return [...letters].filter(isDrawn).join('');
}

/** Blanks and what joins or breaks words have no shape, or one that any font has. */
function isDrawn(letter: string): boolean {
  return letter === ' ' || !/[\p{Cc}\p{Cf}\p{Z}\p{Variation_Selector}]/u.test(letter);
}

function readTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(readTexts) : [];
}
