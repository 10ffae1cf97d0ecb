import { create, type Font } from 'fontkitten';
import { expect, test } from 'vitest';
import { chooseFaces } from './faces.ts';

test.each([
  ['figtree', 'Source Sans 3'],
  ['newsreader', 'Source Serif 4'],
])('letters that the headings of %s lack come from a family of its kind, %s', (headings, reserve) => {
  const { faces, unknown } = chooseFaces({ headings, text: 'source-sans-3' }, 'Коваль');
  const face = faces.find(({ use }) => use === 'headings');
  expect((create(face!.font) as Font).familyName).toContain(reserve);
  expect(unknown).toBe('');
});
