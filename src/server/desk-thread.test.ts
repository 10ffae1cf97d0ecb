import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { createDeskThread } from './desk-thread.ts';

/** A desk that does what the path says. */
const PROGRAM = `
import { parentPort, workerData } from 'node:worker_threads';
const encoder = new TextEncoder();
let count = 0;
parentPort.on('message', async ({ id, method, url, headers, body, client }) => {
  const path = new URL(url).pathname;
  count += 1;
  if (path === '/desk/dies') throw new Error('of the test');
  const stream = path === '/desk/dies-later'
    ? new ReadableStream({ pull: (it) => count === 1 && path ? (it.enqueue(encoder.encode('begun')), count = 2) : setTimeout(() => process.exit(1), 50) })
    : new Blob([JSON.stringify([method, path, client, count, workerData.origin, body && await new Response(body).text()])]).stream();
  parentPort.postMessage({ id, status: 201, headers: [['x-one', '1'], ['set-cookie', 'a=1'], ['set-cookie', 'b=2']], body: stream }, [stream]);
});
if (workerData.url !== 'http://slow') parentPort.postMessage('ready');
`;

function startDesk(url = 'http://localhost:3000', startingMs = 60_000) {
  const file = join(makeFolder(), 'program.mjs');
  writeFileSync(file, PROGRAM);
  const lines: string[] = [];
  const desk = createDeskThread({ program: pathToFileURL(file), log: (line) => void lines.push(line), startingMs });
  desk.configure({ url, origin: 'http://localhost:3000' });
  onTestFinished(desk.stop);
  const ask = (path: string, init?: RequestInit) =>
    desk.fetch(new Request(`http://localhost:3000${path}`, init), '192.0.2.1');
  return { ask, lines };
}

test('passes a request with its body to the desk’s thread, and returns the whole response', async () => {
  const { ask } = startDesk();
  const body = 'x'.repeat(3_000_000);
  const response = await ask('/desk/people', { method: 'POST', body });
  expect([response.status, response.headers.get('X-One'), response.headers.getSetCookie()]).toEqual([
    201,
    '1',
    ['a=1', 'b=2'],
  ]);
  expect(await response.json()).toEqual(['POST', '/desk/people', '192.0.2.1', 1, 'http://localhost:3000', body]);
});

test('fails the requests of a thread that exits, and starts another for the next request', async () => {
  const { ask, lines } = startDesk();
  const [dead, waiting] = await Promise.all([ask('/desk/dies'), ask('/desk/dies')]);
  for (const response of [dead, waiting]) {
    expect(response.status).toBe(503);
    expect(await response.text()).toMatch(/^Your desk stopped/);
  }
  expect(lines).toEqual([
    expect.stringMatching(/^The desk's thread ended: Error.*The next request will restart it\.$/),
  ]);
  expect(await (await ask('/desk')).json()).toEqual(['GET', '/desk', '192.0.2.1', 1, 'http://localhost:3000', null]);
});

test('ends a download with an error if its thread dies', async () => {
  const { ask } = startDesk();
  const response = await ask('/desk/dies-later');
  await expect(response.text()).rejects.toThrow('aborted');
});

test('sends a page that reloads by itself while the thread starts, and tells a form that nothing was done', async () => {
  const { ask } = startDesk('http://slow', 100);
  const [response, form] = await Promise.all([ask('/desk'), ask('/desk/people', { method: 'POST', body: 'a=b' })]);
  expect([form.status, form.headers.get('Refresh'), await form.text()]).toEqual([
    503,
    null,
    expect.stringContaining('nothing was done'),
  ]);
  expect([response.status, response.headers.get('Refresh'), await response.text()]).toEqual([
    503,
    '3',
    expect.stringContaining('Your desk is starting'),
  ]);
});
