import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, test } from 'vitest';
import { checkBuiltSite } from '../../tools/check/check-built-site.ts';
import { readContent } from '../../tools/content/read-content.ts';
import { markupFindings } from '../markup.ts';
import { PAGES } from './site-folder.ts';

const builds = {
  "the project's own content": inject('publicSite'),
  'content without an address': inject('privateSite'),
  'another agency': inject('otherAgency'),
};

describe.each(Object.entries(builds))('%s', (_, build) => {
  test.each(PAGES)('the markup of $path has no mistake', async ({ file }) => {
    expect(await markupFindings(readFileSync(join(build, 'site', file), 'utf8'))).toEqual([]);
  });
});

test('links and anchors lead somewhere, images have text, pages are in the sitemap and can be shared', () => {
  const content = fileURLToPath(new URL('../../content', import.meta.url));
  expect(checkBuiltSite(join(builds["the project's own content"], 'site'), readContent(content).agency)).toEqual([]);
});
