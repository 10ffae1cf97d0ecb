import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { brandSchema } from '../schemas/brand-schema.ts';
import { checkedBrandSchema } from '../brand/check-brand.ts';
import { type Mistake, readYamlText } from './yaml-text.ts';

test.each([
  ['banana', 'expected a colour of six digits, such as "#0d3b38"'],
  ['#12e456', 'nothing is written here'],
])('a colour written as %s is reported once', (written, message) => {
  const mistakes = readMistakes(`brand:\n  deep: ${written}\n`, checkedBrandSchema);
  expect(mistakes).toMatchObject([{ line: 2, field: 'brand > deep', message }]);
});

test('true and false need no quotes', () => {
  const mistakes = readMistakes('nameBesideMark: yes\n', brandSchema);
  expect(mistakes).toMatchObject([{ field: 'nameBesideMark', message: 'expected true or false' }]);
});

test('a mapping as a field’s name is refused, and the library prints no warning', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const mistakes = readMistakes('name: one\n{a: b}: two\n', z.strictObject({ name: z.string() }));
  expect(mistakes).toMatchObject([{ field: '{ a: b }', message: 'this field is not known' }]);
  expect(warn).not.toHaveBeenCalled();
});

function readMistakes(source: string, schema: z.ZodType): Mistake[] {
  return readYamlText({ source, schema, fill: (text) => text }).mistakes;
}
