import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startDueUpdates } from '#mail/updates/update-schedule.ts';
import { listUpdates } from '#mail/updates/update-states.ts';
import { openStore } from '#store/open-store.ts';
import { freshStore, onEachStore } from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';

const PEOPLE = 1200;
const QUEUE_AND_DIE = fileURLToPath(new URL('queue-and-die.ts', import.meta.url));

onEachStore('an update', (name) => {
  test('a command that is killed between two portions of queueing loses nobody, and nobody is queued twice', async () => {
    const { DATA_DIR, DATABASE_URL } = await freshStore(name);
    const store = await openStore({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR });
    onTestFinished(() => store.close());
    await seedSubscribers(store, PEOPLE);
    const { signal, stderr } = spawnSync(process.execPath, [QUEUE_AND_DIE, DATA_DIR, DATABASE_URL ?? '', '2'], {
      encoding: 'utf8',
    });
    expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
    const queued = () => store.db.selectFrom('deliveries').select('subscriber_id').execute();
    expect(await queued()).toHaveLength(500);

    // Somebody who joins now came after it was sent.
    await seedSubscribers(store, 1, { prefix: 'later' });
    const now = Date.now();
    expect(await startDueUpdates(store, now)).toEqual([]);
    await startDueUpdates(store, now + 2 * 60_000);
    expect(await listUpdates(store.db)).toMatchObject([{ state: 'sending', recipients: PEOPLE }]);
    const people = (await queued()).map(({ subscriber_id }) => subscriber_id);
    expect(people).toHaveLength(PEOPLE);
    expect(new Set(people).size).toBe(PEOPLE);
  });
});
