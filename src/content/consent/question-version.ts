import { hash } from 'node:crypto';
import type { Content } from '../schemas/content-schema.ts';

/**
 * Identifies the question that the banner asks, so that a choice made for a different question is recognised. It
 * consists of the tags as visitors see them described, and the banner's text about them. Punctuation, capitals,
 * invisible characters, the order of tags, button labels and IDs don't change it.
 */
export function hashQuestion({ agency: { tags }, consent: { banner } }: Pick<Content, 'agency' | 'consent'>): string {
  const asked = tags.map(({ category, provider, purpose, cookies, storage }) => {
    const stored = [...cookies, ...storage].map(({ name, duration }) => `${name} ${simplify(duration)}`);
    return JSON.stringify([category, simplify(provider), simplify(purpose), stored.toSorted()]);
  });
  const categories = Object.values(banner.categories).flatMap(({ name, explanation }) => [name, explanation]);
  // Without tags, there is nothing to ask.
  const words = tags.length === 0 ? [] : [banner.text, ...categories].map(simplify);
  return hash('sha256', JSON.stringify([asked.toSorted(), words]), 'base64url').slice(0, 8);
}

function simplify(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
