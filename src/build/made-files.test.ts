import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { collectFiles } from './made-files.ts';

const encoder = new TextEncoder();

test('names a file after what it is made from, and reuses it from an earlier site', async () => {
  const earlier = makeFolder();
  mkdirSync(join(earlier, 'site/assets'), { recursive: true });
  const first = collectFiles();
  const url = await first.add('a.svg', [encoder.encode('source'), 1], () => encoder.encode('one encoder'));
  expect(url).toMatch(/^\/assets\/a-[0-9a-f]{8}\.svg$/);
  writeFileSync(join(earlier, 'site', url), 'one encoder');
  const make = vi.fn<() => Uint8Array>(() => encoder.encode('another encoder'));
  const second = collectFiles(earlier);
  expect(await second.add('a.svg', [encoder.encode('source'), 1], make)).toBe(url);
  expect(make).not.toHaveBeenCalled();
  expect(String(second.files.get(url.slice(1)))).toBe('one encoder');
  for (const from of [
    [encoder.encode('source'), 2],
    [encoder.encode('other'), 1],
  ])
    expect(await second.add('a.svg', from, make)).not.toBe(url);
  expect(make).toHaveBeenCalledTimes(2);
});
