import { expect, test } from 'vitest';
import { content } from '../../../test/test-content.ts';
import { pagesSchema } from '../schemas/pages-schema.ts';
import { findRedirectErrors } from './check-links.ts';

test.each([
  ['to itself', [['/a', '/a']], 'back to itself'],
  ['to an anchor on itself', [['/a', '/a#team']], 'back to itself'],
  ['to itself with a slash', [['/a', '/a/']], 'back to itself'],
  [
    'in a circle',
    [
      ['/a', '/b'],
      ['/b/', '/c?x=1'],
      ['/c', '/a'],
    ],
    'back to itself',
  ],
  ['from a page', [['/terms', '/']], 'the site has a page'],
  ['from a page with a slash', [['/terms/', '/']], 'the site has a page'],
  ['from a file', [['/press.pdf', '/']], 'the site has a page or a file'],
  ['from a path that the server uses', [['/desk', '/']], 'the site itself uses'],
  ['to a page that is not there', [['/a', '/trems#fees']], 'no page and no file'],
  [
    'from an address twice',
    [
      ['/a', '/'],
      ['/a', '/terms'],
    ],
    'redirects it already',
  ],
])('rejects a redirect %s', (_, pairs, message) => {
  expect(find(pairs)).toContainEqual(expect.stringContaining(message));
});

test('accepts redirects to other redirects, to anchors, to files and to other sites', () => {
  expect(
    find([
      ['/a', '/b'],
      ['/b', '/#founder'],
      ['/c', 'https://example.org/c'],
      ['/d', '/press.pdf'],
    ]),
  ).toEqual([]);
});

test.each([
  ['/About-Us/', '/About-Us'],
  ['/Über-uns', '/%C3%9Cber-uns'],
  ['/caf%c3%a9/menu', '/caf%C3%A9/menu'],
  ['/50%25-off', '/50%25-off'],
])('stores the old address %s as %s, as browsers send it', (from, path) => {
  expect(parse([[from, '/']])[0]?.from).toBe(path);
});

test('explains why an old address that a host would treat as a pattern is rejected', () => {
  expect(() => parse([['/a:b', '/']])).toThrow(/without : \? # or \*/);
});

test('explains how to write a lone % in an old address', () => {
  expect(() => parse([['/100%', '/']])).toThrow(/expected %25 in place of each %/);
});

test('doesn’t encode an encoded target again', () => {
  expect(parse([['/a', 'https://example.org/a%20ü']])[0]?.to).toBe('https://example.org/a%20%C3%BC');
});

function parse(pairs: string[][]) {
  return pagesSchema.parse({ ...content.pages, redirects: pairs.map(([from, to]) => ({ from, to })) }).redirects;
}

function find(pairs: string[][]): string[] {
  const found = findRedirectErrors(
    { pages: { ...content.pages, redirects: parse(pairs) } },
    ['/', '/terms'],
    (path) => path === '/press.pdf',
  );
  return found.map(({ message }) => message);
}
