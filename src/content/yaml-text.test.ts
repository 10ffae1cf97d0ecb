import { expect, test } from 'vitest';
import { brandSchema } from '#shared/brand.ts';
import { checkedBrandSchema } from './brand.ts';
import { readYamlText } from './yaml-text.ts';

test.each([
  ['123456', '#123456'],
  ['001122', '#001122'],
  ['12e456', '#12e456'],
  ['0d3b38', '#0d3b38', '"0d3b38"'],
  ['"#0a3"', '#00aa33', '"#0a3"'],
  ['banana', '#0d3b38', '"banana"'],
])('a colour written as %s is asked for once, as it must be written', (written, shown, found = written) => {
  const source = `brand:\n  deep: ${written}\n`;
  const { mistakes } = readYamlText({ source, schema: checkedBrandSchema, fill: (text) => text });
  const message = `expected a colour of six digits in quotes, such as "${shown}", but found ${found}`;
  expect(mistakes).toMatchObject([{ field: 'brand > deep', message }]);
});

test('true and false are not asked for in quotes', () => {
  const { mistakes } = readYamlText({ source: 'nameBesideMark: yes\n', schema: brandSchema, fill: (text) => text });
  expect(mistakes).toMatchObject([{ field: 'nameBesideMark', message: 'expected true or false, but found yes' }]);
});
