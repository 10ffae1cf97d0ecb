import { createServer } from 'node:net';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '#newsletter/database/open-store.ts';
import { listenOnFreePort } from '../../listen-on-free-port.ts';
import { freshStore, isMissing } from '../setup/running-newsletter.ts';

test.skipIf(isMissing('PostgreSQL'))(
  'doesn’t wait for another server’s migration if there is nothing to migrate',
  async () => {
    const { DATABASE_URL, DATA_DIR } = await freshStore('PostgreSQL');
    const other = new Client({ connectionString: DATABASE_URL });
    await other.connect();
    onTestFinished(() => other.end());
    await (await openStore({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR })).close();
    // The lock that Kysely's migrator takes.
    await other.query('select pg_advisory_lock(3853314791062309107)');
    const store = await openStore({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR });
    await expect(store.close()).resolves.toBeUndefined();
  },
);

test('fails to start if PostgreSQL accepts the login but responds to no query', async () => {
  const welcome = Buffer.from([...Buffer.from('R'), 0, 0, 0, 8, 0, 0, 0, 0, ...Buffer.from('Z'), 0, 0, 0, 5, 73]);
  const silent = createServer((socket) => socket.once('data', () => socket.write(welcome)));
  const { port, stop } = await listenOnFreePort(silent);
  onTestFinished(stop);
  const databaseUrl = `postgres://owner@127.0.0.1:${port}/list`;
  const opening = openStore({ databaseUrl, dataDir: '', waits: { totalMs: 100, pauseMs: 0 } });
  await expect(opening).rejects.toThrow(/timeout/);
});
