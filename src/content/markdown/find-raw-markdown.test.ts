import { expect, test } from 'vitest';
import { findRawMarkdown } from './find-raw-markdown.ts';

const at = (text: string) => findRawMarkdown(text, 5).map(({ line, message }) => `${line} ${message}`);

test.each([
  ['bold with a space before its end', 'One\n\nSo **this is bold ** here.', '7 ** will be sent as typed'],
  ['italics that are never closed', 'One *two three', '5 * will be sent'],
  ['italics with a space before their end', 'One _two _ three', '5 _ will be sent'],
  ['crossed-out words', 'Was ~~10~~ now 12', '5 ~~ will be sent'],
  ['words crossed out with single tildes', 'Was ~10 days~ now', '5 ~10 days~ will be sent'],
  ['a link with its parts swapped', 'See (https://a.example)[us]', '5 (https://a.example)[us]'],
  ['highlighted words', 'Was ==10==', '5 == will be sent'],
  ['a task list', '- [ ] call Ana', '5 [ ] will be sent'],
  ['a link with a space in its address', 'See [our report](https://a.example/my report.pdf)', '5 [our report]('],
  ['a link with a space before its address', 'See [us] (https://a.example)', '5 [us] ('],
  ['a link to an undefined reference', 'See [us][site].', '5 [us][site] will be sent'],
  ['a heading without its space', 'One\n\n##Pay', '7 ##Pay will be sent'],
  ['a heading with seven #', '####### Pay', '5 ####### Pay will be sent'],
  ['a row of a table', 'One\n\n| a | b |', '7 | will be sent'],
  ['a footnote', 'Pay[^1] rose.', '5 [^1] will be sent'],
  ['a list item without its space', 'One\n\n-two', '7 -two will be sent'],
  ['a number without its space', '1.First', '5 1.First will be sent'],
  ['an open backtick', 'Use `this', '5 ` will be sent'],
  ['an emoji by its name', 'Good news :tada:', '5 :tada: will be sent'],
  ['in a heading', '# One **two', '5 ** will be sent'],
  ['in a quote', '> a\n> **b **', '6 ** will be sent'],
])('warns about %s with its line', (_, text, expected) => {
  expect(at(text)).toEqual([expect.stringContaining(expected)]);
});

test.each([
  'So **bold** and *italic* and __bold__, _italic_.',
  'A pay band is 90-110, and 5 * 3 is 15. Terms apply*',
  'We are #1 in sales [since 2020] (by our count).',
  'At 10:30:15 we met snake_case_names and a_b.',
  '1. one\n2. two\n\n---\n\n- three\n  - four',
  String.raw`Write \*\*two stars\*\*, \#tag and \[x\](y) as they are.`,
  'In code: `**two stars **` and `~~`.',
  '[us](<https://a.example/my report.pdf>) and [you][1]\n\n[1]: https://b.example',
  'Fill in ____ here.',
  '-5% on last year',
  'x == y, a | b',
])('doesn’t warn about %j', (text) => {
  expect(at(text)).toEqual([]);
});

test('warns once about each kind of mark in a line', () => {
  expect(at('**a ** and **b ** and ~~c~~')).toHaveLength(2);
});
