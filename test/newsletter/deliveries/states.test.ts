import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as delivery from '#newsletter/deliveries/queue/delivery-state.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { Delivery } from '#newsletter/database/schema.ts';
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

test('allows exactly the transitions in the diagrams', () => {
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

test.each(['sent', 'cancelled', 'missed'] as const)(
  'doesn’t pause, resume or cancel an update that is %s',
  async (state) => {
    const store = await openFreshStore();
    await seedSubscribers(store, 1);
    const id = await queueForAll(store, { now });
    await store.db.updateTable('updates').set({ state }).execute();
    await update.pauseUpdate(store.db, id, 'a reason');
    await update.resumeUpdate(store, id, CAPS, now);
    await update.cancelUpdate(store, id, now);
    await store.transaction((tx) => update.beginUpdate(tx, id, { last_subscriber_id: '', recipients: 1 }));
    expect((await readNewest(store)).state).toBe(state);
  },
);
