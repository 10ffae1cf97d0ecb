import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { startDesk } from '../running-desk.ts';

// One desk for all, since its start takes seconds.
test('it listens only on 127.0.0.1, refuses other bodies and large ones, and ends at Ctrl-C', async () => {
  const { url, address, stop, kill } = await startDesk({ DATA_DIR: makeFolder(), HOST: '0.0.0.0' });
  onTestFinished(kill);
  expect(new URL(address).searchParams.get('token'), 'has 128 bits').toMatch(/^[\w-]{22}$/);
  expect((await fetch(url)).status).toBe(403);
  // Another address of the same machine, except on a Mac.
  await expect(fetch(url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed');

  const { headers } = await fetch(address, { redirect: 'manual' });
  const Cookie = headers.get('set-cookie')!.split(';', 1)[0]!;
  const answer = await fetch(`${url}/backup`, {
    method: 'POST',
    headers: { Cookie, Origin: url, 'Content-Type': 'multipart/form-data; boundary=x' },
    body: 'rubbish',
  });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('That did not work');

  const answered = await new Promise((resolve, reject) => {
    const asked = request(`${url}/people/import`, { method: 'POST' }, ({ statusCode }) =>
      resolve({ status: statusCode, isWholeSent: asked.writableFinished }),
    );
    asked.on('error', reject);
    asked.end('x'.repeat(30_000_000));
  });
  // Firefox shows no answer to an upload that isn't read to its end.
  expect(answered).toEqual({ status: 413, isWholeSent: true });
  expect(await stop()).toBe(0);
});
