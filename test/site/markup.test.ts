import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkBuiltSite } from '../../tools/check/check-built-site.ts';
import { readContent } from '../../tools/content/read-content.ts';
import { markupFindings } from '../markup.ts';
import { OWN_SITE, pagesOf, PUBLIC_SITE, TEST_SITE } from '../built-sites.ts';

const builds = {
  "the owner's content": OWN_SITE,
  'content without an address': TEST_SITE,
  'content with an address': PUBLIC_SITE,
};

describe.each(Object.entries(builds))('%s', (_, build) => {
  test.each(pagesOf(build))('the markup of $path has no mistake', async ({ file }) => {
    expect(await markupFindings(readFileSync(join(build, 'site', file), 'utf8'))).toEqual([]);
  });
});

test('links and anchors lead somewhere, images have text, pages are in the sitemap and can be shared', () => {
  const content = fileURLToPath(new URL('../../content', import.meta.url));
  expect(checkBuiltSite(join(OWN_SITE, 'site'), readContent(content).agency)).toEqual([]);
});
