import { expect, test } from 'vitest';
import { brandSchema } from '#shared/brand.ts';
import { readYamlText } from './yaml-text.ts';

test('true and false are not asked for in quotes', () => {
  const { mistakes } = readYamlText({ source: 'nameBesideMark: yes\n', schema: brandSchema, fill: (text) => text });
  expect(mistakes).toMatchObject([{ field: 'nameBesideMark', message: 'expected true or false, but found yes' }]);
});
