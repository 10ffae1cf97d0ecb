import type { Content } from '../schemas/content-schema.ts';

/** Lists basic Latin, the characters in components, and every other character of content/; each once. */
export function listUsedCharacters(content: Content): string {
  const basicLatin = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index));
  const characters = new Set([...basicLatin, ...'·–—’…©£€', ...listStrings(content).join('')]);
  return [...characters].filter(isDrawn).join('');
}

/** Spaces, joiners and breaks have no glyph, or one that every font has. */
function isDrawn(character: string): boolean {
  return character === ' ' || !/[\p{Cc}\p{Cf}\p{Z}\p{Variation_Selector}]/u.test(character);
}

function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(listStrings) : [];
}
