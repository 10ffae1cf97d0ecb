import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AGENCIES, listPages, PUBLIC_SITE } from '../built-sites.ts';
import { markupFindings } from '../markup.ts';

describe.each([{ name: 'of the tests', build: PUBLIC_SITE }, ...AGENCIES])('the site $name', ({ build }) => {
  test.each(listPages(build))('has valid markup on $path', async ({ file }) => {
    expect(await markupFindings(readFileSync(join(build, 'site', file), 'utf8'))).toEqual([]);
  });
});

test.each(listPages(PUBLIC_SITE))('the text of $path keeps its size when an iPhone is rotated', ({ file }) => {
  expect(readFileSync(join(PUBLIC_SITE, 'site', file), 'utf8')).toContain('-webkit-text-size-adjust:100%');
});
