import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeYaml, isGroup, readYaml, type Value } from './edit-yaml.ts';

const CONTENT = join(import.meta.dirname, '../../content');
const FILES = ['agency', 'brand', 'home'];
const read = (name: string) => readFileSync(join(CONTENT, `${name}.yaml`), 'utf8');

/** Returns the lines that are in only one of two texts, as `git diff` counts them. */
function diff(before: string, after: string): { removed: string[]; added: string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const only = (lines: string[], others: string[]) => {
    const left = [...others];
    return lines.filter((line) => {
      const at = left.indexOf(line);
      if (at !== -1) left.splice(at, 1);
      return at === -1;
    });
  };
  return { removed: only(old, now), added: only(now, old) };
}

type Home = { title: string; hero: { headline: string }; focus: { areas: Record<string, Value>[] } };
type Faq = { items: { question: string; answer: string }[] };

test('changes one line for one changed headline', () => {
  const source = read('home');
  const home = readYaml(source) as Home;
  home.hero.headline = 'Hire "sellers": the ones # who aren’t looking';
  const { removed, added } = diff(source, changeYaml(source, home));
  expect(removed).toEqual([expect.stringMatching(/^ {2}headline: /)]);
  expect(added).toHaveLength(1);
});

test('moves only a question’s lines when a question is moved', () => {
  const source = read('faq');
  const faq = readYaml(source) as Faq;
  faq.items.unshift(faq.items.pop()!);
  const changed = changeYaml(source, faq);
  expect(diff(source, changed)).toEqual({ removed: [], added: [] });
  faq.items.push(faq.items.shift()!);
  expect(changeYaml(changed, faq)).toBe(source);
});

test('inserts a missing field where the schema has it, and removes it again', () => {
  const source = read('home');
  const home = readYaml(source) as Home;
  const { title, roles, note } = home.focus.areas[1]!;
  home.focus.areas[1] = { title: title!, roles: roles!, figure: '12', note: note! };
  const changed = changeYaml(source, home);
  expect(diff(source, changed)).toEqual({ removed: [], added: ['      figure: "12"'] });
  expect(changeYaml(changed, readYaml(source))).toBe(source);
});

const ODD = `# Above
list:
  - one # beside it
  # about two
  - 'two'
  # at the end
groups:
  - a: 1.10
    b: >-
      folded
      text
  - a: "x"
    b: |
      literal
      # no comment
flow: [a, b] # kept
empty: []
none: {}
`;

test('keeps comments and quotation marks with the values to which they belong', () => {
  const value = readYaml(ODD) as { list: string[]; groups: Record<string, string>[]; empty: string[] };
  expect(value.groups).toEqual([
    { a: '1.10', b: 'folded text' },
    { a: 'x', b: 'literal\n# no comment\n' },
  ]);
  value.list.reverse();
  value.groups[0]!.b = 'other';
  value.empty.push('first');
  expect(changeYaml(ODD, value as Value)).toBe(
    ODD.replace("  - one # beside it\n  # about two\n  - 'two'\n", "  # about two\n  - 'two'\n  - one # beside it\n")
      .replace('1.10', '"1.10"')
      .replace('>-\n      folded\n      text\n', 'other\n')
      .replace('empty: []', 'empty:\n  - first'),
  );
});

test.each(['a: &x one\nb: *x\n', '? a\n: b\n', 'a: [\n', '- - one\n  - two\n'])(
  'rejects YAML that can’t be changed, without damaging it: %j',
  (source) => {
    const value = { other: 'x' };
    const change = () => {
      try {
        return readYaml(changeYaml(source, value));
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect([value, expect.stringMatching(/in an editor\.$/)]).toContainEqual(change());
  },
);

test('reports an error in a file with the library’s message and its line', () => {
  expect(() => readYaml('a: 1\na: 2\n')).toThrow(
    'Map keys must be unique at line 2, column 1. Correct it in an editor.',
  );
});

/** Makes a random change of the kinds that the desk's forms make: to text, or moving, removing and copying entries. */
function alter(value: Value, random: () => number, text: () => string): Value {
  if (typeof value === 'string') return random() < 0.2 ? text() : value;
  if (Array.isArray(value)) {
    const list = value.map((each) => alter(each, random, text));
    if (list.length > 1 && random() < 0.3) list.splice(Math.floor(random() * list.length), 0, list.pop()!);
    if (list.length > 1 && random() < 0.2) list.splice(Math.floor(random() * list.length), 1);
    if (list.length > 0 && random() < 0.2) list.push(alter(list[0]!, () => 0, text));
    return list;
  }
  if (!isGroup(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, alter(each, random, text)]));
}

test.each(FILES)('reads back any change to %s.yaml, and keeps each comment', { timeout: 60_000 }, (name) => {
  const source = read(name);
  const texts = fc.string({ unit: 'grapheme', maxLength: 30 }).map((each) => each.replaceAll(/\s+/g, ' ').trim());
  fc.assert(
    fc.property(
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      fc.infiniteStream(texts),
      (numbers, replacements) => {
        const value = alter(
          readYaml(source),
          () => numbers.next().value,
          () => replacements.next().value,
        );
        const changed = changeYaml(source, value);
        expect(readYaml(changed)).toEqual(value);
        const comments = source.split('\n').filter((line) => line.startsWith('#'));
        expect(changed.split('\n')).toEqual(expect.arrayContaining(comments));
      },
    ),
    { numRuns: 15 },
  );
});
