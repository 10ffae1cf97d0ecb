import { expect, test } from 'vitest';
import { textSetter } from './set-text.ts';

const FAMILIES = { headings: 'newsreader', text: 'figtree' };
const HEADLINE = { use: 'headings', size: 80, fill: '#fff', x: 0, y: 100, lineHeight: 90 } as const;

test('a headline goes on in the next line where it would pass its width', async () => {
  const setText = await textSetter(FAMILIES, 'Teams That Deliver');
  const linesAt = (svg: string) => [...svg.matchAll(/<g transform="translate\(0 (\d+)\)/g)].map(([, y]) => Number(y));
  expect(linesAt(setText('Teams That Deliver', HEADLINE))).toEqual([100]);
  expect(linesAt(setText('Teams That Deliver', { ...HEADLINE, maxWidth: 500 }))).toEqual([100, 190]);
  expect(linesAt(setText('Teams That Deliver', { ...HEADLINE, maxWidth: 10 }))).toEqual([100, 190, 280]);
});

test('Cyrillic and Greek letters that the brand has not are drawn from the fonts in reserve', async () => {
  const setText = await textSetter(FAMILIES, 'aЖΩ');
  const shapes = ['a', 'Ж', 'Ω', '漢'].map((letter) => /d="([^"]*)"/.exec(setText(letter, HEADLINE))![1]);
  expect(new Set(shapes).size).toBe(4);
  expect(shapes[1]!.length).toBeGreaterThan(100);
});

test('letters that are set apart are not joined, and others are', async () => {
  const setText = await textSetter(FAMILIES, 'fi');
  const glyphs = (svg: string) => svg.match(/<path/g)!.length;
  expect(glyphs(setText('fi', HEADLINE))).toBe(1);
  expect(glyphs(setText('fi', { ...HEADLINE, spacing: 0.06 }))).toBe(2);
});
