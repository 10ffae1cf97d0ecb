import { expect, test } from 'vitest';
import { checkClock, readLastPurge } from '#newsletter/retention/check-clock.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { openFreshStore } from '../setup/run-queue.ts';
import { setLastPurge, waitForRetention } from '../setup/erasing.ts';
import { type RunningNewsletter, startNewsletter, waitUntil } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

const DAY = 24 * 3_600_000;

/** Adds a page view, a sent email and a delivery from that time. */
async function addOldRows({ store: { db } }: RunningNewsletter): Promise<void> {
  const then = Date.now() - 800 * DAY;
  const views = { day: toIso(then).slice(0, 10), page: '/', site: '', views: 1 };
  await db.insertInto('page_views').values(views).execute();
  const mail = { delivery_id: 'a', kind: 'welcome', mailbox_hash: null, taken_at: toIso(then) } as const;
  await db.insertInto('sent_mails').values(mail).execute();
  const alert = { ...createDelivery('alert', null, { subject: '', text: '' }, then), state: 'sent' as const };
  await db
    .insertInto('deliveries')
    .values({ ...alert, finished_at: toIso(then) })
    .execute();
}

/** How many of these are left. */
async function countOldRows({ store }: RunningNewsletter): Promise<number[]> {
  const tables = (['page_views', 'sent_mails', 'deliveries'] as const).map((table) => store.db.selectFrom(table));
  return (await Promise.all(tables.map((rows) => rows.selectAll().execute()))).map(({ length }) => length);
}

test('skips the daily deletion for a day if the clock has jumped, then continues', async () => {
  const before = await startNewsletter();
  await waitForRetention(before);
  await before.newsletter.stopDeliveries();
  await seedSubscribers(before.store, 1, { engagedDaysAgo: 800, state: 'unsubscribed' });
  await addOldRows(before);
  await setLastPurge(before, Date.now() - 40 * DAY);
  await before.stop();
  const running = await startNewsletter(before.place);
  const readLast = async () => Date.parse((await readLastPurge(running.store.db)) ?? '');
  await waitUntil(async () => expect(await readLast()).toBeGreaterThan(Date.now() - DAY));
  await running.stop();

  const nextDay = await startNewsletter(running.place);
  expect(await nextDay.people()).toHaveLength(1);
  expect(await countOldRows(nextDay)).toEqual([1, 1, 1]);
  await setLastPurge(nextDay, Date.now() - DAY);
  await nextDay.stop();
  const later = await startNewsletter(running.place);
  await waitUntil(async () => expect(await later.people()).toEqual([]));
  // The deliveries go last.
  await waitUntil(async () => expect(await countOldRows(later)).toEqual([0, 0, 0]));
});

test.each([
  [-1, false],
  [2, true],
  [30, true],
  [32, false],
])('decides %i days after the last purge whether anything may be deleted by age: %s', async (days, mayDelete) => {
  const store = await openFreshStore();
  const now = Date.now();
  await setLastPurge({ store }, now - days * DAY);
  expect(await checkClock(store, now)).toBe(mayDelete);
  // After a skipped deletion, the next one is attempted a day later.
  expect(await readLastPurge(store.db)).toBe(toIso(mayDelete ? now - days * DAY : now));
});
