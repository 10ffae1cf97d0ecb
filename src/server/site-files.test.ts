import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { beforeAll, afterAll, expect, onTestFinished, test } from 'vitest';
import { ask } from '../../test/ask.ts';
import { listenOnFreePort } from '../../test/listen-on-free-port.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { openSiteFiles } from './site-files.ts';

const DOCUMENTS = ['index.html', 'notice.html', '404.html'];

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

let build: string;
let app: Hono;

beforeAll(async () => {
  build = mkdtempSync(join(tmpdir(), 'site-files-'));
  write('content.json', JSON.stringify({ documents: DOCUMENTS }));
  for (const file of [
    ...DOCUMENTS,
    'google123.html',
    'Terms & conditions.pdf',
    'Geb\u00fchren.docx',
    'founder.vcf',
    'call.ics',
    'gone.txt',
    '_headers',
    'vercel.json',
  ]) {
    write(`site/${file}`, `This is ${file}`);
  }
  write('site/words.txt', '0123456789');
  for (const file of ['words.txt', ...DOCUMENTS]) {
    write(`site/${file}.br`, 'compressed');
    write(`site/${file}.gz`, 'zipped');
  }
  const files = await openSiteFiles(build);
  // As in the site's app, other routes follow.
  app = new Hono().use(files.serve, (_, next) => next()).notFound(files.notFound);
});

afterAll(() => rmSync(build, { recursive: true }));

test.each([
  ['/', 'text/html; charset=utf-8', 'This is index.html'],
  ['/notice', 'text/html; charset=utf-8', 'This is notice.html'],
  ['/google123.html', 'text/html; charset=utf-8', 'This is google123.html'],
  ['/Terms%20&%20conditions.pdf', 'application/pdf', 'This is Terms & conditions.pdf'],
  [`/${'Gebühren'.normalize('NFD')}.docx`, DOCX, 'This is Geb\u00fchren.docx'],
  ['/founder.vcf', 'text/vcard; charset=utf-8', 'This is founder.vcf'],
  ['/call.ics', 'text/calendar; charset=utf-8', 'This is call.ics'],
])('serves %s with its type', async (path, type, text) => {
  const response = await app.request(path);
  expect(response.headers.get('content-type')).toBe(type);
  expect(await response.text()).toBe(text);
});

test.each([
  '/index.html',
  '/notice.html',
  '/_headers',
  '/vercel.json',
  '/words.txt.br',
  '/../content.json',
  '/%2e%2e/content.json',
  '/%ff',
  '/404',
  '/%6eotice',
  '/n%6ftice',
])('responds to %s with 404', async (path) => {
  const response = await app.request(path, { headers: { 'If-None-Match': '*', Range: 'bytes=0-3' } });
  expect(response.status).toBe(404);
  expect(response.headers.get('etag')).toBeNull();
  expect(await response.text()).toBe('This is 404.html');
});

test.each(['/./notice', '/%2e/notice', '/a/../notice'])('doesn’t make %s a second URL of a page', async (path) => {
  const { url, stop } = await listenOnFreePort(createServer((...both) => void getRequestListener(app.fetch)(...both)));
  onTestFinished(stop);
  expect(await ask(url, { path })).toMatchObject({ status: 404 });
});

test('responds with 404 if a file is removed while the server is running', async () => {
  rmSync(join(build, 'site/gone.txt'));
  const response = await app.request('/gone.txt');
  expect([response.status, response.headers.get('etag')]).toEqual([404, null]);
});

test.each([
  ['br', 'br'],
  ['gzip, deflate, BR, zstd', 'br'],
  ['gzip;q=0.5, br;q=0.0', 'gzip'],
  ['br; q=0', null],
  ['identity', null],
])('sends a browser that accepts %s the encoding %s', async (accepted, encoding) => {
  for (const path of ['/words.txt', '/', '/nowhere']) {
    const { headers } = await app.request(path, { headers: { 'Accept-Encoding': accepted } });
    expect([path, headers.get('content-encoding')]).toEqual([path, encoding]);
    // Vary keeps caches from sending a compressed response to a browser that can't read it.
    expect(encoding === null || headers.get('vary') === 'Accept-Encoding').toBe(true);
  }
});

test.each([
  ['bytes=2-3', 206, '23'],
  ['bytes=-3', 206, '789'],
  ['bytes=5-2', 200, '0123456789'],
  ['bytes=10-', 416, ''],
  ['bytes=0-99999999999999999999', 206, '0123456789'],
  ['bytes=abc', 200, '0123456789'],
  ['lines=1-2', 200, '0123456789'],
  ['bytes=0-0,2-3', 200, '0123456789'],
])('responds to %s of ten bytes with %i', async (range, status, text) => {
  const response = await app.request('/words.txt', { headers: { Range: range } });
  expect(response.status).toBe(status);
  expect(await response.text()).toBe(text);
});

test('sends the whole file for a range of a file that may have changed', async () => {
  const headers = { Range: 'bytes=2-3', 'If-Range': 'W/"any"' };
  expect(await (await app.request('/words.txt', { headers })).text()).toBe('0123456789');
});

test.each(['POST', 'PUT', 'DELETE'])('rejects %s for a file, and names the allowed methods', async (method) => {
  for (const path of ['/', '/words.txt']) {
    const response = await app.request(path, { method });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  }
  expect((await app.request('/', { method: 'HEAD' })).status).toBe(200);
});

test('doesn’t send an unchanged file again', async () => {
  const etag = (await app.request('/words.txt')).headers.get('etag')!;
  for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
    const response = await app.request('/words.txt', { headers: { 'If-None-Match': known } });
    expect([known, response.status, response.headers.get('etag')]).toEqual([known, 304, etag]);
    // Otherwise a cache could send one encoding to browsers that accept another (RFC 9110, section 15.4.5).
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
  }
  expect((await app.request('/words.txt', { headers: { 'If-None-Match': 'W/"other"' } })).status).toBe(200);
});

function write(file: string, content: string): void {
  mkdirSync(dirname(join(build, file)), { recursive: true });
  writeFileSync(join(build, file), content);
}

test.each(['content.json', 'site', 'site/index.html'])(
  'says what to run if %s is missing from the build',
  async (part) => {
    const folder = makeFolder();
    cpSync(build, folder, { recursive: true });
    rmSync(join(folder, part), { recursive: true });
    await expect(openSiteFiles(folder)).rejects.toThrow(/is missing: run npm run build$/);
  },
);
