import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLIC_SITE, PUBLIC_URL } from '../built-sites.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { signInToDesk } from '../sign-in.ts';

const SITE = 'https://site.example.org';

let newsletter: RunningSite;
let build: string;

beforeAll(async () => {
  build = mkdtempSync(join(tmpdir(), 'own-host-'));
  cpSync(PUBLIC_SITE, build, { recursive: true });
  // As if from public/.
  mkdirSync(join(build, 'site/flyers'));
  for (const name of ['2026', 'Spring, summer']) writeFileSync(join(build, `site/flyers/${name}.html`), 'A flyer');
  newsletter = await startSite({ build, env: { SITE_URL: PUBLIC_URL, RECEIVER_OF: SITE } });
});

afterAll(async () => {
  await newsletter.stop();
  rmSync(build, { recursive: true });
});

describe('a newsletter on its own host', () => {
  test.each([
    '/',
    '/sitemap.xml',
    '/flyers/Spring%2C%20summer.html',
    '/?utm_source=linkedin&utm_medium=post',
    '/flyers/2026.html?utm_source=qr',
  ])('redirects %s to the site', async (path) => {
    const response = await fetch(newsletter.url + path, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([301, SITE + path]);
  });

  test('redirects from a trailing slash to the page, with its query', async () => {
    const response = await fetch(`${newsletter.url}/privacy-policy/?utm_source=qr`, { redirect: 'manual' });
    expect(response.headers.get('location')).toBe(`${SITE}/privacy-policy?utm_source=qr`);
  });

  test('has a desk without the Website pages', async () => {
    const headers = await signInToDesk({ ...newsletter, origin: PUBLIC_URL });
    const read = (path: string) => fetch(newsletter.url + path, { headers });
    const today = await (await read('/desk')).text();
    expect(
      /<nav.*<\/nav>/
        .exec(today)?.[0]
        .replaceAll(/<[^>]+>/g, ' ')
        .split(/ +/),
    ).toEqual(expect.arrayContaining(['Today', 'People', 'Updates', 'Backup', 'Settings']));
    expect(today).not.toContain('/desk/website');
    expect((await read('/desk/website')).status).toBe(404);
  });

  test.each(['/index.html', '/flyers/2025.html'])('responds to %s with 404, as the site itself does', async (path) => {
    expect((await fetch(newsletter.url + path, { redirect: 'manual' })).status).toBe(404);
  });

  test.each(['/robots.txt', '/newsletter/unsubscribe/not-a-token', '/nowhere'])(
    'keeps %s out of search engines',
    async (path) => {
      const response = await fetch(newsletter.url + path);
      expect(response.headers.get('x-robots-tag')).toBe('noindex');
      expect(await response.text()).not.toContain('Sitemap');
    },
  );

  test('allows webmail to show the mark', async () => {
    const { status, headers } = await fetch(`${newsletter.url}/mark.png`);
    expect([status, headers.get('cross-origin-resource-policy')]).toEqual([200, 'cross-origin']);
  });

  test('accepts sign-ups from the site’s pages', async () => {
    const response = await fetch(`${newsletter.url}/api/newsletter`, {
      method: 'OPTIONS',
      headers: { Origin: SITE, 'Access-Control-Request-Method': 'POST' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe(SITE);
  });
});
