import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { brandSchema } from '#shared/brand.ts';
import { checkedBrandSchema } from './brand.ts';
import { type Mistake, readYamlText } from './yaml-text.ts';

test.each([
  ['12e456', 'expected a colour of six digits in quotes, such as "#0d3b38", but found "12e456"'],
  ['banana', 'expected a colour of six digits in quotes, such as "#0d3b38", but found "banana"'],
  ['#12e456', 'nothing is written here. Write it after the colon, in quotes if it begins with #, or take the line out'],
])('a colour written as %s is asked for once, in quotes', (written, message) => {
  const mistakes = readMistakes(`brand:\n  deep: ${written}\n`, checkedBrandSchema);
  expect(mistakes).toMatchObject([{ field: 'brand > deep', message }]);
});

test('true and false are not asked for in quotes', () => {
  const mistakes = readMistakes('nameBesideMark: yes\n', brandSchema);
  expect(mistakes).toMatchObject([{ field: 'nameBesideMark', message: 'expected true or false, but found "yes"' }]);
});

const ONE_TEXT =
  'expected one text. Put a text that begins with { or [ in quotes, and check the spaces before the next line';

test.each([
  ['tags: []\n  - one\n', 1, 'tags: [] says that nothing is in it, and lines below belong to it. Take [] out'],
  ['tags: []\n\n# one\n- one\n', 1, 'tags: [] says that nothing is in it, and lines below belong to it. Take [] out'],
  ['group: {}\n  name: a\n', 1, 'group: {} says that nothing is in it, and lines below belong to it. Take {} out'],
  [
    'tags: [one, , two]\n',
    1,
    'these brackets cannot be read. Put exactly one comma between two entries, and nothing after the last bracket',
  ],
  ['role: [Sales]\n', 1, ONE_TEXT],
  ['role: []\n', 1, ONE_TEXT],
  ['role: {}\n', 1, ONE_TEXT],
])('brackets in %j are not reported as a mistake of quotes or spaces', (source, line, message) => {
  const schema = z.strictObject({
    role: z.string().optional(),
    tags: z.array(z.string()).optional(),
    group: z.strictObject({ name: z.string().optional() }).optional(),
  });
  expect(readMistakes(source, schema)).toMatchObject([{ line, message }]);
});

test('a mapping as the name of a field is refused, and the library prints no warning of its own', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const mistakes = readMistakes('name: one\n{a: b}: two\n', z.strictObject({ name: z.string() }));
  expect(mistakes).toMatchObject([{ field: '{ a: b }', message: 'this field is not known. Known here are name' }]);
  expect(warn).not.toHaveBeenCalled();
});

test('a field of another kind of entry is not asked for by its own name', () => {
  const schema = z.strictObject({
    tags: z.array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('ga4'), measurementId: z.string() }),
        z.strictObject({ kind: z.literal('script'), src: z.string() }),
      ]),
    ),
  });
  const source = 'tags:\n  - kind: ga4\n    measurementId: G-1\n    src: https://a.example\n';
  const mistakes = readMistakes(source, schema);
  const message = 'this field is not known. Known here are kind, measurementId';
  expect(mistakes).toMatchObject([{ field: 'tags > 1 > src', message }]);
});

function readMistakes(source: string, schema: z.ZodType): Mistake[] {
  return readYamlText({ source, schema, fill: (text) => text }).mistakes;
}
