import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { beginDelivery, listMailQueues } from '#mail/queue/begin-delivery.ts';
import { startDueUpdates } from '#mail/updates/update-schedule.ts';
import { cancelUpdate, listUpdates } from '#mail/updates/update-states.ts';
import { readMetadata } from '#store/metadata.ts';
import { createDelivery } from '#store/new-delivery.ts';
import { queueForAll } from './queue-for-all.ts';
import { openFreshStore } from './run-queue.ts';
import { freshStore, onEachStore, openPlace } from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';

const PEOPLE = 1200;
const QUEUE_AND_DIE = fileURLToPath(new URL('queue-and-die.ts', import.meta.url));

onEachStore('an update', (name) => {
  test('a command that is killed between two portions of queueing loses nobody, and nobody is queued twice', async () => {
    const place = await freshStore(name);
    const store = await openPlace(place);
    await seedSubscribers(store, PEOPLE);
    const words = [QUEUE_AND_DIE, place.DATA_DIR, place.DATABASE_URL ?? '', '2'];
    const { signal, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
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

  test('one that is cancelled before everybody was queued can be queued again', async () => {
    const store = await openFreshStore(name);
    await seedSubscribers(store, 3);
    const id = await queueForAll(store);
    const halfQueued = { state: 'paused', paused_from: 'queueing' } as const;
    await store.db.updateTable('updates').set(halfQueued).execute();
    await expect(queueForAll(store)).rejects.toThrow('update.md is queued already');
    await cancelUpdate(store, id, Date.now());
    expect(await queueForAll(store)).not.toBe(id);
  });

  test('of two commands that send one file at once, one queues it', async () => {
    const store = await openFreshStore(name);
    await seedSubscribers(store, 40);
    for (let round = 0; round < 5; round += 1) {
      const contentHash = `round ${round}`;
      const results = await Promise.allSettled([1, 2].map(() => queueForAll(store, { contentHash })));
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const reason = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
      expect(reason[0]).toContain('update.md is queued already');
      const rows = await store.db
        .selectFrom('deliveries')
        .innerJoin('updates', 'updates.id', 'deliveries.update_id')
        .select('deliveries.id')
        .where('content_hash', '=', contentHash)
        .execute();
      expect(rows).toHaveLength(40);
    }
  });
});

onEachStore('the queue', (name) => {
  test('while the caps are full it only reads', async () => {
    const store = await openFreshStore(name);
    const now = Date.now();
    await seedSubscribers(store, 4);
    const people = await store.db.selectFrom('subscribers').select('id').execute();
    // The fourth welcome mail in the hour is a flood.
    const welcome = people.map(({ id }) => createDelivery('welcome', id, {}, now));
    await store.db.insertInto('deliveries').values(welcome).execute();
    const begin = () =>
      beginDelivery(store, listMailQueues([]), { hourlyCap: 4, dailyCap: undefined, secret: 'of a test' }, now);
    const readGate = () => readMetadata(store.db, 'delivery-gate');
    for (let place = 0; place < 3; place += 1) expect(await begin()).toMatchObject({ delivery: { kind: 'welcome' } });
    expect(await begin()).toHaveProperty('waitMs');
    // The alert of the flood takes the last place of the hour.
    expect(await begin()).toMatchObject({ delivery: { kind: 'alert' } });
    await store.db.deleteFrom('metadata').where('name', '=', 'delivery-gate').execute();
    expect(await begin()).toHaveProperty('waitMs');
    expect(await readGate()).toBeUndefined();
  });
});
