import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as delivery from '#newsletter/deliveries/queue/delivery-state.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { Delivery, SentUpdate } from '#newsletter/database/schema.ts';
import * as update from '#newsletter/updates/update-state.ts';
import { CAPS, queueForAll } from '../setup/queue-for-all.ts';
import { enqueue, openFreshStore, readDeliveries, readNewest } from '../setup/run-queue.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

/** The transitions in the document's diagrams, without their start and end arrows. */
function readDiagrams(): string[][] {
  const text = readFileSync(new URL('../../../docs/decisions/delivery.md', import.meta.url), 'utf8');
  return text
    .split('```mermaid')
    .slice(1)
    .map((diagram) => [...diagram.matchAll(/^ {2}(\w+ --> \w+)/gm)].map(([, arrow = '']) => arrow).toSorted());
}

const draw = (transitions: readonly (readonly [string, string])[]) =>
  transitions.map(([from, to]) => `${from} --> ${to}`).toSorted();

test('matches the diagrams’ transitions of deliveries and updates', () => {
  expect(readDiagrams()).toEqual([draw(delivery.DELIVERY_TRANSITIONS), draw(update.UPDATE_TRANSITIONS)]);
});

const now = Date.now();
const end = (state: delivery.AttemptEnd['state']) => (store: Store, each: Delivery) =>
  delivery.endAttempt(store.db, each, { state });

const DELIVERY_STEPS: Record<string, (store: Store, each: Delivery) => Promise<unknown>> = {
  'waiting --> sending': ({ db }, each) => delivery.claimDelivery(db, each, toIso(now)),
  'waiting --> dropped': ({ db }, { id }) => delivery.dropDelivery(db, id, now),
  'waiting --> failed': ({ db }, { id }) => delivery.expireDelivery(db, id, 'too late', now),
  'sending --> sent': end('sent'),
  'sending --> waiting': end('waiting'),
  'sending --> failed': end('failed'),
  'sending --> dropped': end('dropped'),
  'sent --> failed': ({ db }, { id }) => delivery.failSent(db, id, 'bounced'),
  'failed --> waiting': ({ db }, { id }) => delivery.retryFailed(db, [id], toIso(now), now),
};

test.each(delivery.DELIVERY_TRANSITIONS)(
  'changes a delivery from %s to %s, and from no other state',
  async (from, to) => {
    const step = DELIVERY_STEPS[`${from} --> ${to}`]!;
    const store = await openFreshStore();
    const states = ['waiting', 'sending', 'sent', 'failed', 'dropped'] as const;
    for (const state of states) {
      await enqueue(store, { ...createDelivery('alert', null, { subject: 'a', text: 'b' }, now), state });
    }
    const before = await readDeliveries(store);
    for (const each of before) await step(store, each);
    const after = (await readDeliveries(store)).map(({ id, state }) => [id, state]);
    expect(after).toEqual(before.map(({ id, state }) => [id, state === from ? to : state]));
  },
);

type Step = (store: Store, id: string) => Promise<unknown>;
const inTransaction =
  (work: (tx: Parameters<Parameters<Store['transaction']>[0]>[0], id: string) => Promise<unknown>): Step =>
  (store, id) =>
    store.transaction((tx) => work(tx, id));
const pause: Step = ({ db }, id) => update.pauseUpdate(db, id, 'a reason');
const cancel: Step = (store, id) => update.cancelUpdate(store, id, now);
const resume: Step = (store, id) => update.resumeUpdate(store, id, CAPS, now);
const finishQueueing = inTransaction(async (tx, id) => update.finishQueueing(tx, (await update.lockUpdate(tx, id))!));
const begin = inTransaction((tx, id) => update.beginUpdate(tx, id, { last_subscriber_id: '', recipients: 1 }));
const LATER = { send_at: toIso(now + 3_600_000) };

const UPDATE_STEPS: Record<string, [Step, Partial<SentUpdate>?]> = {
  'queueing --> sending': [finishQueueing],
  'queueing --> paused': [pause],
  'queueing --> cancelled': [cancel],
  'scheduled --> queueing': [begin],
  'scheduled --> missed': [inTransaction((tx, id) => update.missUpdate(tx, id, 'too late', now))],
  'scheduled --> paused': [pause],
  'scheduled --> cancelled': [cancel],
  'sending --> sent': [inTransaction((tx, id) => update.finishUpdate(tx, id, now))],
  'sending --> paused': [pause],
  'sending --> cancelled': [cancel],
  'sent --> sending': [inTransaction((tx, id) => update.reopenUpdate(tx, id, now))],
  'paused --> queueing': [resume, { paused_from: 'queueing' }],
  'paused --> scheduled': [resume, { paused_from: 'scheduled', ...LATER }],
  'paused --> sending': [resume, { paused_from: 'sending' }],
  'paused --> cancelled': [cancel],
};

test.each(update.UPDATE_TRANSITIONS)('an update goes from %s to %s', async (from, to) => {
  const [step, fields] = UPDATE_STEPS[`${from} --> ${to}`]!;
  const store = await openFreshStore();
  await seedSubscribers(store, 1);
  const id = await queueForAll(store, { now });
  if (to === 'sent') await store.db.updateTable('deliveries').set({ state: 'sent' }).execute();
  await store.db
    .updateTable('updates')
    .set({ ...fields, state: from })
    .execute();
  await step(store, id);
  expect((await readNewest(store)).state).toBe(to);
});

test.each(['sent', 'cancelled', 'missed'] as const)(
  'doesn’t pause, resume or cancel an update that is %s',
  async (state) => {
    const store = await openFreshStore();
    await seedSubscribers(store, 1);
    const id = await queueForAll(store, { now });
    await store.db.updateTable('updates').set({ state }).execute();
    for (const step of [pause, resume, cancel, begin]) await step(store, id);
    expect((await readNewest(store)).state).toBe(state);
  },
);
