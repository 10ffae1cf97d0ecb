import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { brandSchema } from '../schemas/brand-schema.ts';
import { checkedBrandSchema } from '../brand/check-brand.ts';
import { type Mistake, readYamlText } from './yaml-text.ts';

test.each([
  ['banana', 'expected a colour of six digits, such as "#0d3b38"'],
  ['#12e456', 'everything after # is a comment and is not read. Put it in quotes: "#12e456"'],
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

test('a text that a # cuts off is reported, and a comment is not', () => {
  const source = 'first: We are #1 in London\nsecond: We are # said before\nthird: "#1" #first\n';
  const schema = z.strictObject({ first: z.string(), second: z.string(), third: z.string() });
  expect(readMistakes(source, schema)).toMatchObject([
    { line: 1, field: 'first', message: expect.stringContaining('in quotes: "We are #1 in London"') },
  ]);
});

test.each([
  ['a text', z.string()],
  ['an address', z.url('expected an address')],
  ['a choice', z.enum(['one', 'two'], 'expected one or two')],
  ['a list', z.array(z.string()).min(1)],
  ['a group', z.strictObject({ b: z.string() })],
])('%s that the file doesn’t have is called missing', (_, schema) => {
  const mistakes = readMistakes('other: x\n', z.strictObject({ other: z.string(), a: schema }));
  expect(mistakes).toMatchObject([{ field: 'a', message: 'this field is missing' }]);
});

function readMistakes(source: string, schema: z.ZodType): Mistake[] {
  return readYamlText({ source, schema, fill: (text) => text }).mistakes;
}
