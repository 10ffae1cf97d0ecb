import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { startDesk } from '../running-desk.ts';

test('a body that isn’t a form is refused in a sentence', async () => {
  const { url, address } = await openDesk();
  const { headers } = await fetch(address, { redirect: 'manual' });
  const answer = await fetch(`${url}/backup`, {
    method: 'POST',
    headers: {
      Cookie: headers.get('set-cookie')!.split(';', 1)[0]!,
      Origin: url,
      'Content-Type': 'multipart/form-data; boundary=x',
    },
    body: 'rubbish',
  });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('That did not work');
});

test('an upload that is too large is read to its end before it is refused, since Firefox shows no earlier answer', async () => {
  const { url } = await openDesk();
  const answered = await new Promise((resolve, reject) => {
    const asked = request(`${url}/people/import`, { method: 'POST' }, ({ statusCode }) =>
      resolve({ status: statusCode, isWholeSent: asked.writableFinished }),
    );
    asked.on('error', reject);
    asked.end('x'.repeat(30_000_000));
  });
  expect(answered).toEqual({ status: 413, isWholeSent: true });
});

test('it listens only on 127.0.0.1, whatever HOST is, and ends at Ctrl-C', async () => {
  const { url, address, stop } = await openDesk();
  expect(new URL(address).searchParams.get('token'), 'has 128 bits').toMatch(/^[\w-]{22}$/);
  expect((await fetch(url)).status).toBe(403);
  // Another address of the same machine, except on a Mac.
  await expect(fetch(url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed');
  expect(await stop()).toBe(0);
});

async function openDesk() {
  const desk = await startDesk({ DATA_DIR: makeFolder(), HOST: '0.0.0.0' });
  onTestFinished(async () => void (await desk.stop()));
  return desk;
}
