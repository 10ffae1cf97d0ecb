import { expect, test } from 'vitest';
import { retryDelivery, retryUnsent, retryUpdate } from '#newsletter/deliveries/queue/retry-deliveries.ts';
import { countAudience } from '#newsletter/updates/audience.ts';
import { startDueUpdates } from '#newsletter/updates/update-schedule.ts';
import { listUpdates } from '#newsletter/updates/update-progress.ts';
import { cancelUpdate, pauseUpdate, resumeUpdate } from '#newsletter/updates/update-state.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { CAPS, endAfter, queueForAll } from '../setup/queue-for-all.ts';
import { enqueue, findOnlyPerson, openFreshStore, readDeliveries } from '../setup/run-queue.ts';
import { onEachStore } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

const PEOPLE = 1200;

onEachStore('an update', (name) => {
  test('loses nobody, and queues nobody twice, if the command is killed between two batches', async () => {
    const store = await openFreshStore(name);
    await seedSubscribers(store, PEOPLE);
    await expect(queueForAll(endAfter(store, 2))).rejects.toThrow('ended');
    const queued = () => store.db.selectFrom('deliveries').select(['subscriber_id', 'give_up_at']).execute();
    expect(await queued()).toHaveLength(500);

    // Somebody who joins now came too late for it.
    await seedSubscribers(store, 1, { prefix: 'later' });
    const now = Date.now();
    expect(await startDueUpdates(store, now)).toEqual([]);
    const { id } = (await listUpdates(store.db))[0]!;
    await pauseUpdate(store.db, id, 'for a test');
    await startDueUpdates(store, now + 2 * 60_000);
    expect(await queued()).toHaveLength(500);
    const later = now + 8 * 24 * 3600_000;
    expect(await resumeUpdate(store, id, CAPS, later)).toBe('queueing');
    await startDueUpdates(store, later);
    expect(await listUpdates(store.db)).toMatchObject([{ state: 'sending', recipients: PEOPLE }]);
    const deliveries = await queued();
    const people = deliveries.map(({ subscriber_id }) => subscriber_id);
    expect(people).toHaveLength(PEOPLE);
    expect(new Set(people).size).toBe(PEOPLE);
    // They all have their full time from when it is resumed.
    expect(new Set(deliveries.map(({ give_up_at }) => give_up_at)).size).toBe(1);
  });

  test('queues a file once if two commands send it at the same time', async () => {
    const store = await openFreshStore(name);
    await seedSubscribers(store, 40);
    for (let round = 0; round < 5; round += 1) {
      const file = `round-${round}.md`;
      const results = await Promise.allSettled([1, 2].map(() => queueForAll(store, { file })));
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const reason = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
      expect(reason[0]).toContain(`${file} is already queued`);
      const rows = await store.db
        .selectFrom('deliveries')
        .innerJoin('updates', 'updates.id', 'deliveries.update_id')
        .select('deliveries.id')
        .where('file', '=', file)
        .execute();
      expect(rows).toHaveLength(40);
    }
  });

  test('doesn’t send an old update again when everything is retried', async () => {
    const store = await openFreshStore(name);
    await seedSubscribers(store, 2);
    await queueForAll(store);
    await store.db.updateTable('deliveries').set({ state: 'failed' }).execute();
    await store.db.updateTable('updates').set({ state: 'sent' }).execute();
    const { id } = await findOnlyPerson(store);
    await enqueue(store, { ...createDelivery('welcome', id, {}, Date.now()), state: 'failed' });
    const before = await listUpdates(store.db);
    expect(await retryUnsent(store, Date.now())).toBe(1);
    expect(await listUpdates(store.db)).toEqual(before);
    const waiting = (await readDeliveries(store)).filter(({ state }) => state === 'waiting');
    expect(waiting).toMatchObject([{ kind: 'welcome' }]);
  });
});

test.each(['waiting', 'failed'] as const)(
  'retries a %s email that may have arrived, and still doesn’t offer it again when its update is cancelled',
  async (state) => {
    const store = await openFreshStore();
    await seedSubscribers(store, 1);
    const id = await queueForAll(store);
    await store.db.updateTable('deliveries').set({ state, interruptions: 1 }).execute();
    const [delivery] = await readDeliveries(store);
    expect(await retryDelivery(store, delivery!.id, Date.now())).toMatchObject({ retried: 1 });
    await cancelUpdate(store, id, Date.now());
    expect(await countAudience(store.db, { file: 'update.md', textHash: 'hash' })).toMatchObject({ total: 0 });
  },
);

test('gives an email at least seven more days on retry', async () => {
  const store = await openFreshStore();
  await seedSubscribers(store, 2);
  await queueForAll(store);
  const now = Date.now();
  const [long, short] = (await readDeliveries(store)).map(({ id }) => id);
  const setEnd = (id: string | undefined, give_up_at: string) =>
    store.db.updateTable('deliveries').set({ give_up_at }).where('id', '=', id!).execute();
  await setEnd(long, toIso(now + 40 * DAY_MS));
  await setEnd(short, toIso(now));
  await retryDelivery(store, long!, now);
  await retryDelivery(store, short!, now);
  const ends = (await readDeliveries(store)).map(({ give_up_at }) => give_up_at);
  expect(ends).toEqual([toIso(now + 40 * DAY_MS), toIso(now + 7 * DAY_MS)]);
});

test.each(['cancelled', 'scheduled'] as const)('a retry changes nothing in an update that is %s', async (state) => {
  const store = await openFreshStore();
  await seedSubscribers(store, 2);
  const id = await queueForAll(store, { sendAt: Date.now() + 10 * DAY_MS });
  await store.db.updateTable('deliveries').set({ state: 'failed' }).execute();
  if (state === 'cancelled') await cancelUpdate(store, id, Date.now());
  const before = await readDeliveries(store);
  expect(await retryUpdate(store, id, Date.now())).toMatchObject({ retried: 0, state, isReopened: false });
  expect(await readDeliveries(store)).toEqual(before);
});

test('queues an update again that was cancelled before everybody was queued', async () => {
  const store = await openFreshStore();
  await seedSubscribers(store, 3);
  const id = await queueForAll(store);
  const halfQueued = { state: 'paused', paused_from: 'queueing' } as const;
  await store.db.updateTable('updates').set(halfQueued).execute();
  await expect(queueForAll(store)).rejects.toThrow('update.md is already queued');
  await cancelUpdate(store, id, Date.now());
  expect(await queueForAll(store)).not.toBe(id);
});

const DAY_MS = 24 * 3600_000;
