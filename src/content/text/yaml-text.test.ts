import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { brandSchema } from '../schemas/brand-schema.ts';
import { checkedBrandSchema } from '../brand/check-brand.ts';
import { type SourceError, readYamlText } from './yaml-text.ts';

test.each([
  ['banana', 'expected a colour of six digits, such as "#0d3b38"'],
  ['#12e456', 'everything after # is a comment and is not read. Put it in quotes: "#12e456"'],
])('reports a colour written as %s once', (written, message) => {
  const errors = readErrors(`brand:\n  deep: ${written}\n`, checkedBrandSchema);
  expect(errors).toMatchObject([{ line: 2, field: 'brand > deep', message }]);
});

test('rejects yes in place of true', () => {
  const errors = readErrors('nameBesideMark: yes\n', brandSchema);
  expect(errors).toMatchObject([{ field: 'nameBesideMark', message: 'expected true or false' }]);
});

test('rejects a mapping as a field’s name, without a warning from the library', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const errors = readErrors('name: one\n{a: b}: two\n', z.strictObject({ name: z.string() }));
  expect(errors).toMatchObject([{ line: 2, message: 'text that begins with { must be in quotes' }]);
  expect(warn).not.toHaveBeenCalled();
});

test('reports a string that a # cuts off, but not a comment', () => {
  const source = 'first: We are #1 in London\nsecond: We are # said before\nthird: "#1" #first\n';
  const schema = z.strictObject({ first: z.string(), second: z.string(), third: z.string() });
  expect(readErrors(source, schema)).toMatchObject([
    { line: 1, field: 'first', message: expect.stringContaining('in quotes: "We are #1 in London"') },
  ]);
});

test('reports only the first of several errors that follow from each other', () => {
  const source = 'items:\n  * question: Why\n    answer: x\n  * question: Who\n    answer: y\n';
  const message = 'an entry of a list begins with a hyphen and a space';
  expect(readErrors(source, z.strictObject({ items: z.array(z.string()) }))).toMatchObject([{ line: 2, message }]);
});

test.each([
  ['a string', z.string()],
  ['an address', z.url('expected an address')],
  ['a choice', z.enum(['one', 'two'], 'expected one or two')],
  ['a list', z.array(z.string()).min(1)],
  ['a group', z.strictObject({ b: z.string() })],
])('reports that %s is missing from the file', (_, schema) => {
  const errors = readErrors('other: x\n', z.strictObject({ other: z.string(), a: schema }));
  expect(errors).toMatchObject([{ field: 'a', message: 'this field is missing' }]);
});

function readErrors(source: string, schema: z.ZodType): SourceError[] {
  return readYamlText({ source, schema, fill: (text) => text }).errors;
}
