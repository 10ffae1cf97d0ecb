import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../ask.ts';
import { freePort } from '../free-port.ts';
import { makeFolder } from '../make-folder.ts';
import { tryToStart } from '../newsletter/built-server.ts';
import { TEST_SITE } from '../built-sites.ts';
import { startServer } from '../server-process.ts';

const hasIPv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));

async function startAt(HOST: string) {
  const PORT = String(await freePort());
  const server = await startServer(TEST_SITE, { DATA_DIR: makeFolder(), HOST, PORT });
  onTestFinished(server.kill);
  return { server, PORT };
}

test.skipIf(!hasIPv6)('HOST=localhost answers on both loopbacks, and stops on both', async () => {
  const { server, PORT } = await startAt('localhost');
  for (const address of ['127.0.0.1', '[::1]']) {
    expect([address, (await ask(`http://${address}:${PORT}/`)).status]).toEqual([address, 200]);
  }
  expect((await ask(server.url)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test.each(['0.0.0.0', '::'])('with HOST=%s the printed address works', async (HOST) => {
  if (HOST.includes(':') && !hasIPv6) return;
  const { server } = await startAt(HOST);
  expect((await ask(server.url)).status).toBe(200);
  // Browsers on Windows open neither.
  expect(server.url).not.toMatch(/0\.0\.0\.0|\[::\]/);
});

test.skipIf(!hasIPv6)('a port in use at one loopback is refused with HOST=localhost, in a sentence', async () => {
  const HOST = 'localhost';
  const port = await freePort();
  const other = createServer().listen(port, '::1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { code, errors } = await tryToStart({ DATA_DIR: makeFolder(), HOST, PORT: String(port), SETTINGS_FILE: '' });
  expect({ code, errors }).toEqual({
    code: 1,
    errors: `PORT ${port}, HOST ${HOST}: another program uses this port. Set another port or host in .env\n`,
  });
});

test.each([
  ['no-such-host.invalid', 'there is no host of this name'],
  ['192.0.2.1', 'this machine has no such address'],
])('HOST=%s is refused: %s', async (HOST, words) => {
  const { code, errors } = await tryToStart({ DATA_DIR: makeFolder(), HOST, SETTINGS_FILE: '' });
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(`HOST ${HOST}: ${words}`) });
});
