import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listFiles } from '#content/list-files.ts';
import { listIndexedPages, PUBLIC_SITE, PUBLIC_URL, TEST_SITE } from '../built-sites.ts';
import { type RunningSite, startSite } from '../running-site.ts';

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

let running: RunningSite;

beforeAll(async () => {
  running = await startSite();
});

afterAll(() => running.stop());

test('the server sends what the visitor’s browser takes, and never the compressed file by its own name', async () => {
  const { url } = running;
  const encoding = async (accepted: string) => {
    const answer = await fetch(`${url}/favicon.svg`, { headers: { 'Accept-Encoding': accepted } });
    expect(await answer.text()).toBe(read('favicon.svg').toString());
    return answer.headers.get('content-encoding');
  };
  expect(await encoding('gzip, br')).toBe('br');
  expect(await encoding('gzip')).toBe('gzip');
  expect(await encoding('identity')).toBeNull();
  for (const path of ['/favicon.svg.br', '/_headers', '/vercel.json'])
    expect((await fetch(url + path)).status).toBe(404);
});

test.each(['/', '/no-such-page'])('%s is compressed for those who accept it, and for nobody else', async (path) => {
  const answer = async (accepted: string) => {
    const { headers } = await fetch(running.url + path, { headers: { 'Accept-Encoding': accepted } });
    return { encoding: headers.get('content-encoding'), vary: headers.get('vary') };
  };
  // With Vary no cache gives a compressed answer to a browser that cannot read it.
  expect(await answer('gzip, br')).toEqual({ encoding: 'br', vary: 'Accept-Encoding' });
  expect(await answer('gzip;q=0.5, br;q=0.0')).toEqual({ encoding: 'gzip', vary: 'Accept-Encoding' });
  expect(await answer('br;q=0, gzip; q=0.000')).toMatchObject({ encoding: null });
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
