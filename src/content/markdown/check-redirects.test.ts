import { expect, test } from 'vitest';
import { content } from '../../../test/test-content.ts';
import { findRedirectErrors } from './check-links.ts';

test.each([
  ['to itself', [['/a', '/a']], 'back to itself'],
  ['to a place in itself', [['/a', '/a#team']], 'back to itself'],
  ['to itself with a slash', [['/a', '/a/']], 'back to itself'],
  [
    'in a circle',
    [
      ['/a', '/b'],
      ['/b', '/c?x=1'],
      ['/c', '/a'],
    ],
    'back to itself',
  ],
  ['from a page', [['/terms', '/']], 'the site has a page'],
  [
    'from an address twice',
    [
      ['/a', '/'],
      ['/a', '/terms'],
    ],
    'redirects it already',
  ],
])('a redirect %s is refused', (_, pairs, message) => {
  expect(find(pairs)).toContainEqual(expect.stringContaining(message));
});

test('redirects may lead to others, to places in pages and to other sites', () => {
  expect(
    find([
      ['/a', '/b'],
      ['/b', '/#founder'],
      ['/c', 'https://example.org/c'],
    ]),
  ).toEqual([]);
});

function find(pairs: string[][]): string[] {
  const redirects = pairs.map(([from = '', to = '']) => ({ from, to }));
  return findRedirectErrors('content', { ...content, pages: { ...content.pages, redirects } }, ['/', '/terms']);
}
