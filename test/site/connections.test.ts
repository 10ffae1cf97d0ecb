import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listUrlPaths } from '#build/built-site.ts';
import { TEST_SITE } from '../built-sites.ts';
import { type RunningSite, startSite } from '../running-site.ts';

let site: RunningSite;
let sockets: Socket[] = [];

beforeAll(async () => {
  site = await startSite({ env: { TRUSTED_PROXY_HEADER: '' } });
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

afterAll(() => site.stop());

test('answers pipelined requests in order', async () => {
  const socket = open();
  const heads = ['HEAD /favicon.svg', 'HEAD /', 'HEAD /nowhere', 'HEAD /robots.txt'];
  socket.write(heads.map((head) => `${head} HTTP/1.1\r\nHost: site\r\n\r\n`).join(''));
  let received = '';
  for await (const chunk of socket) {
    received += String(chunk);
    if (received.split('\r\n\r\n').length > heads.length) break;
  }
  expect([...received.matchAll(/^HTTP\/1\.1 (\d+)|^content-type: ([\w/+]+)/gim)].map(([, a, b]) => a ?? b)).toEqual([
    '200',
    'image/svg+xml',
    '200',
    'text/html',
    '404',
    'text/html',
    '200',
    'text/plain',
  ]);
});

test('rejects a request with two Host headers', async () => {
  expect(await readAnswer('GET / HTTP/1.1\r\nHost: site\r\nHost: other\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
});

test('uses few files and little memory for 100 connections that pipeline 50 requests each and read nothing', async () => {
  const requests = manyRequests(50);
  for (let number = 0; number < 100; number += 1) open().pause().write(requests);
  let [files, waited] = [0, Infinity];
  for (let probe = 0; probe < 5; probe += 1) {
    const started = performance.now();
    expect((await fetch(`${site.url}/robots.txt`)).status).toBe(200);
    waited = Math.min(waited, performance.now() - started);
    files = Math.max(files, readdirSync(`/proc/${site.pid}/fd`).length);
    await pause(50);
  }
  expect(files).toBeLessThan(400);
  expect(peakMemoryMb()).toBeLessThan(500);
  expect(waited).toBeLessThan(1000);
});

const form = 'email=nobody&source=Footer';
test.each([
  ['the page of a link', 'GET /newsletter/unsubscribe/not-a-token HTTP/1.1\r\nHost: site\r\n\r\n'],
  [
    'a form that is rejected with a page',
    'POST /api/newsletter HTTP/1.1\r\nHost: site\r\nAccept: text/html\r\n' +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
  ],
])('doesn’t delay other clients when one pipelines 100 requests for %s', async (_, request) => {
  const connections = Array.from({ length: 10 }, () => open());
  let answers = 0;
  for (const socket of connections) {
    socket.on('data', (data) => {
      answers += String(data).split('HTTP/1.1 ').length - 1;
    });
    socket.write(request.repeat(100));
  }
  await readAnswer('GET /robots.txt HTTP/1.1\r\nHost: site\r\n\r\n');
  expect(answers).toBeLessThan(500);
});

test.skipIf(platform() !== 'linux').each([1, 1000])(
  'still accepts visitors while it has 1,000 connections from %i IP addresses',
  async (addresses) => {
    for (let number = 0; number < 1000; number += 1) {
      const client = number % addresses;
      await once(open(`127.1.${client >> 8}.${client & 255}`), 'connect');
    }
    // Not with fetch, which may reuse an older connection.
    expect(await readAnswer('GET /robots.txt HTTP/1.1\r\nHost: site\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  },
);

/** The start of the response to a request on its own connection. */
async function readAnswer(request: string): Promise<string> {
  const socket = open();
  socket.write(request);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return String(answer);
}

/** Requests for the site's largest files, alternating, as one string. */
function manyRequests(count: number): string {
  const largest = [...listUrlPaths(TEST_SITE)]
    .map(([address, file]) => ({ address, bytes: statSync(join(TEST_SITE, 'site', file)).size }))
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, 10);
  return Array.from(
    { length: count },
    (_, number) => `GET ${largest[number % largest.length]!.address} HTTP/1.1\r\nHost: site\r\n\r\n`,
  ).join('');
}

function open(localAddress?: string): Socket {
  const socket = connect({ port: Number(new URL(site.url).port), host: '127.0.0.1', localAddress });
  // The server closes surplus connections, and those that read nothing for a long time.
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

function peakMemoryMb(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${site.pid}/status`, 'utf8'))![1]) / 1024;
}
