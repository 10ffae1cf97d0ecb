import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningSite, startSite } from '../running-site.ts';
import { listIndexedPages, listPages, PUBLIC_SITE as build, PUBLIC_URL, TEST_SITE } from '../built-sites.ts';
import { readBuiltPage } from './read-built-page.ts';

const shared = listIndexedPages(build);

/** The site without SITE_URL. */
let site: RunningSite;

beforeAll(async () => {
  site = await startSite();
});

afterAll(() => site.stop());

describe.each(shared)('$path in search results and shares', ({ path, file }) => {
  const page = readBuiltPage(build, file);
  const meta = (name: string) =>
    page.querySelector(`meta[property="${name}"], meta[name="${name}"]`)?.getAttribute('content');

  test('has its absolute URL', () => {
    expect(page.querySelector('link[rel="canonical"]')!.getAttribute('href')).toBe(PUBLIC_URL + path);
    expect(meta('og:url')).toBe(PUBLIC_URL + path);
    expect(meta('robots')).toBeUndefined();
  });

  test('is shown with its title, description and a picture of its own', async () => {
    expect(meta('og:title')).toBe(page.title);
    expect(meta('og:description')).toBe(meta('description'));
    expect(meta('og:type')).toBe('website');
    expect(meta('twitter:card')).toBe('summary_large_image');
    const image = new URL(meta('og:image')!);
    expect(image.origin).toBe(PUBLIC_URL);
    const { format, width, height } = await sharp(readFileSync(join(build, 'site', image.pathname))).metadata();
    expect([format, width, height]).toEqual(['png', 1200, 630]);
    expect([meta('og:image:width'), meta('og:image:height')]).toEqual(['1200', '630']);
    // WhatsApp shows no larger pictures.
    expect(readFileSync(join(build, 'site', image.pathname)).byteLength).toBeLessThan(300_000);
  });
});

test('no two pages share a picture', () => {
  const images = shared.map(({ file }) =>
    readBuiltPage(build, file).querySelector('meta[property="og:image"]')!.getAttribute('content'),
  );
  expect(new Set(images).size).toBe(shared.length);
});

test('the sitemap lists every page that may be listed, and nothing else', () => {
  const sitemap = text('sitemap.xml');
  expect([...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address).toSorted()).toEqual(
    shared.map(({ path }) => PUBLIC_URL + path).toSorted(),
  );
});

test('robots.txt allows everything and names the sitemap', () => {
  expect(text('robots.txt')).toMatch(/^User-agent: \*\nDisallow:\n/);
  expect(text('robots.txt')).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml`);
});

test('llms.txt describes the site, with absolute URLs', () => {
  expect(text('llms.txt')).toMatch(/^# .+\n\n> .+/);
  for (const { path } of shared) expect(text('llms.txt')).toContain(`](${PUBLIC_URL}${path})`);
});

test('security.txt says where to report problems, and expires within a year', () => {
  const security = text('.well-known/security.txt');
  expect(security).toMatch(/^Contact: mailto:\S+@\S+$/m);
  expect(security).toContain(`Canonical: ${PUBLIC_URL}/.well-known/security.txt`);
  const left = Date.parse(/^Expires: (.+)$/m.exec(security)![1]!) - Date.now();
  expect(left).toBeGreaterThan(300 * 24 * 3600 * 1000);
  expect(left).toBeLessThan(365 * 24 * 3600 * 1000);
});

test('responds to /favicon.ico with an icon', async () => {
  const response = await fetch(`${site.url}/favicon.ico`);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get('Content-Type')).toMatch(/^image\/(x-icon|vnd\.microsoft\.icon)$/);
  const picture = await sharp(bytes.subarray(bytes.readUInt32LE(18))).metadata();
  expect([picture.width, picture.height]).toEqual([bytes[6], bytes[7]]);
});

test('makes the icons that a system crops opaque up to their corners', async () => {
  for (const icon of ['/icon-maskable-512.png', '/apple-touch-icon.png']) {
    const { data } = await sharp(readFileSync(join(build, 'site', icon)))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[3]).toBe(255);
  }
});

test('without SITE_URL, nothing is indexed, and the server says so when it starts', async () => {
  const pages = listPages(TEST_SITE);
  expect(pages.length).toBeGreaterThan(0);
  for (const { file } of pages) {
    const page = readBuiltPage(TEST_SITE, file);
    expect(page.querySelector('meta[name="robots"]')!.getAttribute('content')).toBe('noindex');
    expect(page.querySelector('link[rel="canonical"], meta[property^="og:"]')).toBeNull();
  }
  expect(existsSync(join(TEST_SITE, 'site/sitemap.xml'))).toBe(false);
  expect((await fetch(`${site.url}/favicon.svg`)).headers.get('x-robots-tag')).toBe('noindex');
  await expect.poll(site.said).toMatch(/Search engines are asked not to list the site.*set SITE_URL/);
});

function text(file: string): string {
  return readFileSync(join(build, 'site', file), 'utf8');
}
