import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listPages, PUBLIC_SITE, TEST_SITE } from '../built-sites.ts';
import { markupFindings } from '../markup.ts';

const builds = { 'without an address': TEST_SITE, 'with an address': PUBLIC_SITE };

describe.each(Object.entries(builds))('a site %s', (_, build) => {
  test.each(listPages(build))('has no mistake in the markup of $path', async ({ file }) => {
    expect(await markupFindings(readFileSync(join(build, 'site', file), 'utf8'))).toEqual([]);
  });

  test.each(listPages(build))('keeps the size of the text of $path on an iPhone that is turned', ({ file }) => {
    expect(readFileSync(join(build, 'site', file), 'utf8')).toContain('-webkit-text-size-adjust:100%');
  });
});
