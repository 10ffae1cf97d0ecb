import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { listFiles } from '#content/list-files.ts';
import { listIndexedPages, PUBLIC_SITE, PUBLIC_URL, TEST_SITE } from '../built-sites.ts';
import { startSite } from '../running-site.ts';

const site = join(TEST_SITE, 'site');
const read = (file: string) => readFileSync(join(site, file));

test('every text of the site is there in brotli and gzip as well, and says the same', () => {
  const texts = listFiles(site).filter((file) => /\.(html|js|css|svg|txt|webmanifest)$/.test(file));
  expect(texts.length).toBeGreaterThan(10);
  for (const file of texts) {
    expect(brotliDecompressSync(read(`${file}.br`)).equals(read(file))).toBe(true);
    expect(gunzipSync(read(`${file}.gz`)).equals(read(file))).toBe(true);
  }
});

test('each page comes in the first flight of a new connection, headers and all', async () => {
  const { url, stop } = await startSite({ build: PUBLIC_SITE, env: { SITE_URL: PUBLIC_URL } });
  onTestFinished(stop);
  const pages = listIndexedPages(PUBLIC_SITE);
  expect(pages.length).toBeGreaterThan(1);
  for (const { path } of pages) expect(await countBytes(url + path)).toBeLessThanOrEqual(FIRST_FLIGHT);
});

/** Ten packets (RFC 6928) of 1,460 bytes: for more, a server waits until the visitor's browser has answered. */
const FIRST_FLIGHT = 14_600;

/** The bytes that come over the wire, with a connection of its own. */
function countBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { 'Accept-Encoding': 'br' } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.socket.bytesRead));
    }).on('error', reject);
  });
}
