import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';

const hasIPv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));

async function listenAt(HOST: string, PORT = 0): Promise<string> {
  const { servers, url } = await listen(() => createServer((_, response) => response.end('a page')), { HOST, PORT });
  onTestFinished(() => servers.forEach((server) => void server.close()));
  return url;
}

const read = async (url: string) => (await fetch(url)).text();

test.skipIf(!hasIPv6)('listens on both loopback addresses for localhost', async () => {
  const url = await listenAt('localhost');
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    expect([host, await read(url.replace('localhost', host))]).toEqual([host, 'a page']);
  }
});

test.each(['0.0.0.0', '::'])('prints a URL that works with HOST=%s', async (HOST) => {
  if (HOST.includes(':') && !hasIPv6) return;
  const url = await listenAt(HOST);
  expect(await read(url)).toBe('a page');
  // Browsers on Windows can’t open either.
  expect(url).not.toMatch(/0\.0\.0\.0|\[::\]/);
});

test.skipIf(!hasIPv6)(
  'says in a sentence that a port is in use if HOST=localhost and it is used on one loopback',
  async () => {
    const other = createServer().listen(0, '::1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    await expect(listenAt('localhost', port)).rejects.toThrow(
      `PORT ${port}, HOST localhost: another program uses this port. Set another port or host in .env`,
    );
  },
);

test.each([
  ['no-such-host.invalid', 'there is no host with this name'],
  ['192.0.2.1', 'this machine has no such address'],
])('rejects HOST=%s: %s', async (HOST, words) => {
  await expect(listenAt(HOST)).rejects.toThrow(`HOST ${HOST}: ${words}`);
});
