import { expect, test } from 'vitest';
import { markdownToHtml, prepareMarkdown } from './markdown.ts';

const toLines = (text: string) => markdownToHtml(text).replaceAll('<br />\n', '|').trim();

test.each([
  ['a single Return', 'Larkfield Ltd\n1 High Street', '<p>Larkfield Ltd|1 High Street</p>'],
  ['a vertical tab from PowerPoint', 'Monday\u000BRoom 4', '<p>Monday|Room 4</p>'],
  ['a next line', 'Monday\u0085Room 4', '<p>Monday|Room 4</p>'],
  ['a form feed', 'Monday\u000CRoom 4', '<p>Monday|Room 4</p>'],
  ['a line separator', 'Monday\u2028Room 4', '<p>Monday|Room 4</p>'],
  ['an indented line', 'Monday\n     Room 4', '<p>Monday|Room 4</p>'],
  ['a line of hyphens above a signature', 'Best wishes\n--\nAnna', '<p>Best wishes|--|Anna</p>'],
])('breaks the line at %s', (_, text, html) => {
  expect(toLines(text)).toBe(html);
});

const BULLETS =
  '•\t|· |▪\u00A0 |– |‣ |•|●\t|◦   |·       |-\u00A0|*\u00A0|-      |◆ |➢\t|►\uFE0F |\uF0B7\t|•\u2003|–\u202F|o\t|§\t|Ø\t|—\t';

test.each(BULLETS.split('|'))('reads lines that begin with %j as a list', (mark) => {
  const html = '<ul>\n<li>One</li>\n<li>Two</li>\n</ul>';
  expect(toLines(`${mark}One\n${mark}Two`)).toBe(html);
  expect(toLines(`Before:\n\t${mark}One\n\t${mark}Two`)).toBe(`<p>Before:</p>\n${html}`);
});

test.each(['1)\t', '1) ', '1)\u00A0', '1.\u00A0\u00A0', '1.        ', '1.\u2003'])(
  'reads lines that begin with %j as a numbered list',
  (mark) => {
    const html = '<ol>\n<li>One</li>\n<li>Two</li>\n</ol>';
    expect(toLines(`${mark}One\n${mark.replace('1', '2')}Two`)).toBe(html);
  },
);

test('keeps a nested list', () => {
  expect(toLines('• One\n  ◦ Within\n• Two')).toBe(
    '<ul>\n<li>One\n<ul>\n<li>Within</li>\n</ul>\n</li>\n<li>Two</li>\n</ul>',
  );
});

test.each([
  ['Word, which indents nothing', '•\tOne\no\tTwo\n▪\tThree\no\tFour\n•\tFive'],
  ['Google Docs', '* One\n   * Two\n      * Three\n   * Four\n* Five'],
  ['a web page', '●\tOne\n\t○\tTwo\n\t\t■\tThree\n\t○\tFour\n●\tFive'],
])('keeps the levels of a list from %s', (_, text) => {
  const html = toLines(text).replaceAll('\n', '');
  expect(html).toBe('<ul><li>One<ul><li>Two<ul><li>Three</li></ul></li><li>Four</li></ul></li><li>Five</li></ul>');
  expect(toLines(prepareMarkdown(text)).replaceAll('\n', '')).toBe(html);
});

test('ends a list at a line that isn’t indented, and continues an entry at one that is', () => {
  expect(toLines('• One\n  goes on\n• Two\nBest wishes\nAnna')).toBe(
    '<ul>\n<li>One|goes on</li>\n<li>Two</li>\n</ul>\n<p>Best wishes|Anna</p>',
  );
});

test('accepts a no-break space in a heading', () => {
  expect(toLines('##\u00A0Fees')).toBe('<h2>Fees</h2>');
});

test.each(['10–12 days', '–5 % on last year', '·', 'a • b', '1)one', 'Anna – Ben'])('reads %j as text', (text) => {
  expect(toLines(text)).toBe(`<p>${text}</p>`);
});

test.each([
  ['See https://a.example/report.', 'https://a.example/report', 'https://a.example/report'],
  ['(www.a.example/x_(y)), there', 'https://www.a.example/x_(y)', 'www.a.example/x_(y)'],
  ['Write to anna@a.example!', 'mailto:anna@a.example', 'anna@a.example'],
  ['https://a.example/a_b_c?d=1…', 'https://a.example/a_b_c?d=1', 'https://a.example/a_b_c?d=1'],
  ['https://a.example/a%20b?c=%7B%22', 'https://a.example/a%20b?c=%7B%22', 'https://a.example/a%20b?c=%7B%22'],
  ['https://a.example/x: it says', 'https://a.example/x', 'https://a.example/x'],
  ['https://a.example/x_', 'https://a.example/x_', 'https://a.example/x_'],
  ['**www.a.example**:', 'https://www.a.example', 'www.a.example'],
])('finds a link in %j to %s', (text, url, words) => {
  expect(markdownToHtml(text)).toContain(`<a href="${url}">${words}</a>`);
  expect(markdownToHtml(text).match(/<a /g)).toHaveLength(1);
});

test.each(['larkfield.example', 'Acme.com is new', 'ftp://a.example', '//a.example', 'a@b', '`https://a.example`'])(
  'finds no link in %j',
  (text) => {
    expect(markdownToHtml(text)).not.toContain('<a ');
  },
);
