import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Hono } from 'hono';
import { beforeAll, afterAll, expect, test } from 'vitest';
import { addressesOf } from './built-site.ts';
import { siteFiles } from './site-files.ts';

let build: string;
let app: Hono;

beforeAll(() => {
  build = mkdtempSync(join(tmpdir(), 'site-files-'));
  write('server/site.json', JSON.stringify({ documents: ['index.html', 'notice.html'] }));
  for (const file of [
    'index.html',
    'notice.html',
    'google123.html',
    'Terms & conditions.pdf',
    'gone.txt',
    '_headers',
  ]) {
    write(`site/${file}`, `This is ${file}`);
  }
  write('site/words.txt', '0123456789');
  write('site/words.txt.br', 'compressed');
  app = new Hono().use(siteFiles(join(build, 'site'), addressesOf(build)));
});

afterAll(() => rmSync(build, { recursive: true }));

test.each([
  ['/', 'text/html; charset=utf-8', 'This is index.html'],
  ['/notice', 'text/html; charset=utf-8', 'This is notice.html'],
  ['/google123.html', 'text/html; charset=utf-8', 'This is google123.html'],
  ['/Terms%20&%20conditions.pdf', 'application/pdf', 'This is Terms & conditions.pdf'],
])('%s is served with its type', async (path, type, text) => {
  const answer = await app.request(path);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(await answer.text()).toBe(text);
});

test.each([
  '/index.html',
  '/notice.html',
  '/_headers',
  '/words.txt.br',
  '/../server/site.json',
  '/%2e%2e/server/site.json',
  '/%ff',
])('%s is no address', async (path) => {
  expect((await app.request(path)).status).toBe(404);
});

test('a file that is taken away while the server runs is answered with 404', async () => {
  rmSync(join(build, 'site/gone.txt'));
  expect((await app.request('/gone.txt')).status).toBe(404);
});

test.each([
  ['br', 'br'],
  ['gzip, br;q=0.0', null],
  ['br; q=0', null],
  ['identity', null],
])('who accepts %s gets %s', async (accepted, encoding) => {
  const answer = await app.request('/words.txt', { headers: { 'Accept-Encoding': accepted } });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
});

test.each([
  ['bytes=2-3', 206, '23'],
  ['bytes=-3', 206, '789'],
  ['bytes=5-2', 416, ''],
  ['bytes=10-', 416, ''],
  ['bytes=0-99999999999999999999', 206, '0123456789'],
])('%s of ten bytes is answered with %i', async (range, status, text) => {
  const answer = await app.request('/words.txt', { headers: { Range: range } });
  expect(answer.status).toBe(status);
  expect(await answer.text()).toBe(text);
});

test('what has not changed is not sent again', async () => {
  const etag = (await app.request('/words.txt')).headers.get('etag')!;
  expect((await app.request('/words.txt', { headers: { 'If-None-Match': etag } })).status).toBe(304);
});

function write(file: string, content: string): void {
  mkdirSync(dirname(join(build, file)), { recursive: true });
  writeFileSync(join(build, file), content);
}
