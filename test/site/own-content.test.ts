import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { STORAGE_KEYS } from '#client/cookie-banner/consent-rules.ts';
import { LAST_SUBMIT_KEY } from '#client/newsletter-form/send-sign-up.ts';
import { checkBuiltSite } from '#launch-check/check-built-site.ts';
import { readContent } from '#content/parse-content.ts';
import { buildInto, isOlder, listPages } from '../built-sites.ts';
import { markupFindings } from '../markup.ts';

/** Only these tests read the owner's content, and check what no schema can. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const OWN_CONTENT = join(root, 'content');
const build = join(root, 'dist');

beforeAll(async () => {
  // The first step of `npm test` has built it.
  if (isOlder(build, OWN_CONTENT)) await buildInto(build, {});
});

test('every page has valid markup', async () => {
  const pages = listPages(build);
  expect(pages.length).toBeGreaterThan(2);
  for (const { file } of pages) {
    expect(await markupFindings(readFileSync(join(build, 'site', file), 'utf8'))).toEqual([]);
  }
});

test('links and anchors lead somewhere, and titles fit in search results', () => {
  const findings = checkBuiltSite(build, readContent(OWN_CONTENT).agency);
  // This host doesn't exist yet.
  expect(findings.filter(({ where }) => where !== 'SITE_URL')).toEqual([]);
});

test('content/consent.yaml lists exactly what the site stores in a browser under ownStorage', () => {
  const listed = readContent(OWN_CONTENT).consent.ownStorage.map(({ name }) => name);
  expect(listed.toSorted()).toEqual([...STORAGE_KEYS, LAST_SUBMIT_KEY].toSorted());
});
