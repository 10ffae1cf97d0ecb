import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORAGE_KEYS } from '#site/cookie-banner/consent-rules.ts';
import { LAST_SUBMIT_KEY } from '#site/newsletter/last-submit.ts';
import { checkBuiltSite } from '#owner/launch-check/check-built-site.ts';
import { readContent } from '#content/read-content.ts';
import { buildSite } from '../build-site.ts';
import { listPages, PUBLIC_URL } from '../built-sites.ts';
import { markupFindings } from '../markup.ts';

/** The owner's content: these tests alone read it, and ask of it what no schema can. */
const OWN_CONTENT = fileURLToPath(new URL('../../content', import.meta.url));

let build: string;

beforeAll(async () => {
  build = await buildSite({ CONTENT_DIR: OWN_CONTENT, SITE_URL: PUBLIC_URL });
});

afterAll(() => rm(build, { recursive: true, force: true }));

test('the markup of every page has no mistake', async () => {
  const pages = listPages(build);
  expect(pages.length).toBeGreaterThan(2);
  for (const { file } of pages) {
    expect(await markupFindings(readFileSync(join(build, 'site', file), 'utf8'))).toEqual([]);
  }
});

test('links and anchors lead somewhere, and titles are as search engines show them', () => {
  expect(checkBuiltSite(build, readContent(OWN_CONTENT).agency)).toEqual([]);
});

test('content/consent.yaml lists under ownStorage exactly what the site keeps in a browser', () => {
  const listed = readContent(OWN_CONTENT).consent.ownStorage.map(({ name }) => name);
  expect(listed.toSorted()).toEqual([...STORAGE_KEYS, LAST_SUBMIT_KEY].toSorted());
});
