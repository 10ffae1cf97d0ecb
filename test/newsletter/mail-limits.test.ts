import { expect, test } from 'vitest';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { createDelivery } from '#store/new-delivery.ts';
import { queueForAll } from './queue-for-all.ts';
import { onEachStore, waitUntil } from './running-newsletter.ts';
import {
  enqueue,
  jumpingClock,
  readNewest,
  readRecipients,
  runQueue,
  startBoth,
  startWithUpdate,
  waitForState,
} from './run-queue.ts';
import { seedSubscribers } from './seed-subscribers.ts';

test('updates leave a fifth of each hour to other mails', async () => {
  const { smtp, store } = await startWithUpdate(20);
  await runQueue(store, smtp.url, { caps: { hourlyCap: 10 } });
  await waitUntil(() => expect(smtp.taken).toHaveLength(8));
  const details = { ...optionalFields(() => ''), email: 'anna@example.org', source: 'Footer' };
  const notices = [1, 2, 3].map(() => createDelivery('notice', null, details, Date.now()));
  await enqueue(store, ...notices);
  await waitUntil(() => expect(smtp.taken).toHaveLength(10));
  expect((await readNewest(store)).sent).toBe(8);
});

test('a limit a day holds, and everybody is reached on the days after it', async () => {
  const { smtp, store } = await startBoth();
  const people = await seedSubscribers(store, 12);
  const clock = jumpingClock(10 * 60_000);
  const start = clock.now();
  const times: number[] = [];
  smtp.mood = (step) => {
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

test('mails that answer sign-ups wait beyond a third of the hour, and the owner is warned once', async () => {
  const { smtp, store } = await startBoth();
  await seedSubscribers(store, 20);
  const people = await store.db.selectFrom('subscribers').select('id').execute();
  const welcome = people.map(({ id }) => createDelivery('welcome', id, {}, Date.now()));
  await enqueue(store, ...welcome);
  await runQueue(store, smtp.url, { caps: { hourlyCap: 30 } });
  await waitUntil(() => expect(smtp.taken).toHaveLength(11));
  expect(smtp.taken.filter(({ to }) => to === 'owner@larkfield.example')).toHaveLength(1);
  const waiting = store.db.selectFrom('deliveries').select('id').where('state', '=', 'waiting');
  expect(await waiting.execute()).toHaveLength(10);
});

onEachStore('the queue', (name) => {
  test('ten spellings of one mailbox get one mail a day, and the rest fail after seven days', async () => {
    const { smtp, store } = await startBoth(name);
    await seedSubscribers(store, 10, { prefix: 'anna+' });
    const clock = jumpingClock(3_600_000);
    await queueForAll(store, { now: clock.now() });
    await runQueue(store, smtp.url, { clock });
    await waitForState(store, 'sent');
    const { sent, failed, reasons } = await readNewest(store);
    expect(sent).toBeGreaterThan(6);
    expect(sent + failed).toBe(10);
    expect(reasons).toEqual([{ reason: 'this mailbox gets one email a day', count: failed }]);
  });
});
