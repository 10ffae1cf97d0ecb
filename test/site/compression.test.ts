import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { filesOf } from '#server/built-site.ts';
import { TEST_SITE } from '../built-sites.ts';
import { startSite } from '../running-site.ts';

const site = join(TEST_SITE, 'site');
const read = (file: string) => readFileSync(join(site, file));

test('every text of the site is there in brotli and gzip as well, and says the same', () => {
  const texts = filesOf(site).filter((file) => /\.(html|js|css|svg|txt|webmanifest)$/.test(file));
  expect(texts.length).toBeGreaterThan(10);
  for (const file of texts) {
    expect(brotliDecompressSync(read(`${file}.br`)).equals(read(file))).toBe(true);
    expect(gunzipSync(read(`${file}.gz`)).equals(read(file))).toBe(true);
  }
});

test('the server sends what the visitor’s browser takes, and never the compressed file by its own name', async () => {
  const { url, stop } = await startSite();
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
  await stop();
});

test.each(['/', '/no-such-page'])('%s is compressed for those who accept it, and for nobody else', async (path) => {
  const { url, stop } = await startSite({ build: TEST_SITE });
  const encoding = async (accepted: string) =>
    (await fetch(url + path, { headers: { 'Accept-Encoding': accepted } })).headers.get('content-encoding');
  expect(await encoding('gzip, br')).toBe('br');
  expect(await encoding('gzip;q=0.5, br;q=0.0')).toBe('gzip');
  expect(await encoding('br;q=0, gzip; q=0.000')).toBeNull();
  await stop();
});
