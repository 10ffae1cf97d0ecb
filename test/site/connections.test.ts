import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RunningSite, startSite } from '../running-site.ts';

let site: RunningSite;

beforeAll(async () => {
  site = await startSite({ env: { TRUSTED_PROXY_HEADER: '' } });
});

afterAll(() => site.stop());

test('a request with two Host headers is refused', async () => {
  const socket = connect({ port: Number(new URL(site.url).port), host: '127.0.0.1' });
  socket.write('GET / HTTP/1.1\r\nHost: site\r\nHost: other\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
});

test('the log says that most visitors come from one IP address', async () => {
  for (let visitor = 0; visitor < 60; visitor += 1) await (await fetch(site.url)).text();
  await vi.waitFor(() => expect(site.said()).toMatch(/ Visitors: \d+ of the last \d+ came from one address/));
});
