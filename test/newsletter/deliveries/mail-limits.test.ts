import { expect, test } from 'vitest';
import { toIso } from '#newsletter/database/iso-time.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { waitUntil } from '../setup/running-newsletter.ts';
import {
  enqueue,
  findOnlyPerson,
  jumpingClock,
  readDeliveries,
  readRecipients,
  runQueue,
  startStoreAndSmtp,
  waitForState,
} from '../setup/run-queue.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

test('sends an email in response to a person before those of an update under the hourly cap', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  await seedSubscribers(store, 20);
  const { id } = await findOnlyPerson(store);
  await queueForAll(store);
  await enqueue(store, createDelivery('welcome', id, {}, Date.now()));
  const clock = jumpingClock(60_000);
  const start = clock.now();
  const running = await runQueue(store, smtp.url, { clock, caps: { hourlyCap: 10 } });
  await waitUntil(() => expect(smtp.taken.length).toBeGreaterThanOrEqual(11));
  await running.stop();
  expect((await readDeliveries(store)).find(({ kind }) => kind === 'welcome')).toMatchObject({ state: 'sent' });
  const inFirstHour = await store.db
    .selectFrom('deliveries')
    .select(['kind', 'finished_at'])
    .where('finished_at', '<', toIso(start + 3_600_000))
    .orderBy('finished_at')
    .execute();
  // The tenth is reserved for the next such email.
  expect(inFirstHour).toHaveLength(9);
  expect(inFirstHour[0]?.kind).toBe('welcome');
});

test.each([
  [10, 9],
  [3, 2],
])(
  'sends an email that somebody is waiting for at once, even if an update has used up its share of a cap of %i',
  async (hourlyCap, share) => {
    const { smtp, store } = await startStoreAndSmtp();
    await seedSubscribers(store, 20);
    await queueForAll(store);
    await runQueue(store, smtp.url, { caps: { hourlyCap } });
    await waitUntil(() => expect(smtp.taken).toHaveLength(share));
    const alert = createDelivery('alert', null, { subject: 'Pay', text: 'Pay' }, Date.now());
    await enqueue(store, alert);
    await waitUntil(() => expect(smtp.taken).toHaveLength(hourlyCap));
    expect(smtp.taken.at(-1)?.to).toBe('owner@larkfield.example');
  },
);

test('respects the daily cap, and reaches everybody on the following days', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  const people = await seedSubscribers(store, 12);
  const clock = jumpingClock(30 * 60_000);
  const start = clock.now();
  const times: number[] = [];
  smtp.behave = (step) => {
    if (step === 'dot') times.push(clock.now() - start);
    return undefined;
  };
  await queueForAll(store, { now: start });
  await runQueue(store, smtp.url, { clock, caps: { dailyCap: 5 } });
  await waitForState(store, 'sent');
  expect(readRecipients(smtp)).toEqual(people.toSorted());
  const sixth = times[5]! - times[0]!;
  const eleventh = times[10]! - times[5]!;
  expect(Math.min(sixth, eleventh)).toBeGreaterThanOrEqual(24 * 3_600_000);
  expect(Math.max(sixth, eleventh)).toBeLessThan(25 * 3_600_000);
});
