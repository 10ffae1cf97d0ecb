import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { markupFindings } from '../markup.ts';
import { fileAt, PAGES, readPage } from './site-folder.ts';

describe.each([
  ["the project's own content", inject('publicSite')],
  ['content without an address', inject('privateSite')],
  ['another agency', inject('otherAgency')],
])('%s', (_, build) => {
  test.each(PAGES)('the markup of $path has no mistake', async ({ file }) => {
    expect(await markupFindings(readFileSync(join(build, 'site', file), 'utf8'))).toEqual([]);
  });

  test.each(PAGES)('every link of $path within the site leads somewhere', ({ path, file }) => {
    const links = [...readPage(build, file).querySelectorAll('a[href]')].map((link) => link.getAttribute('href')!);
    const internal = links.map((href) => new URL(href, `http://site${path}`)).filter(({ host }) => host === 'site');
    expect(internal.length).toBeGreaterThan(0);
    for (const { pathname, hash } of internal) {
      const target = fileAt(build, pathname);
      expect(target, pathname).toBeDefined();
      expect(target!.toString(), pathname + hash).toContain(hash ? ` id="${hash.slice(1)}"` : '<html');
    }
  });

  test.each(PAGES)('every file that $path names is there', ({ file }) => {
    const named = [...readPage(build, file).querySelectorAll('[src], link[href^="/"]')];
    expect(named.length).toBeGreaterThan(0);
    for (const element of named) {
      const address = element.getAttribute('src') ?? element.getAttribute('href')!;
      expect(fileAt(build, address), address).toBeDefined();
    }
  });
});
