import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { listFiles } from '#content/list-files.ts';
import { TEST_SITE } from '../built-sites.ts';

test('every text file of the site has brotli and gzip copies with the same content', () => {
  const site = join(TEST_SITE, 'site');
  const read = (file: string) => readFileSync(join(site, file));
  const texts = listFiles(site).filter((file) => /\.(html|js|css|svg|txt|webmanifest)$/.test(file));
  expect(texts.length).toBeGreaterThan(10);
  for (const file of texts) {
    expect(brotliDecompressSync(read(`${file}.br`)).equals(read(file))).toBe(true);
    expect(gunzipSync(read(`${file}.gz`)).equals(read(file))).toBe(true);
  }
});
