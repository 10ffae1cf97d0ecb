import { expect, test } from 'vitest';
import { applyBounce, type Bounce, restore } from '#newsletter/bounces/undeliverable.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { enqueue, findOnlyPerson, openFreshStore } from '../setup/run-queue.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

const DAY = 24 * 3_600_000;

/** One person, and emails to them that bounce; days are counted from a midnight after they joined. */
async function startWithPerson() {
  const store = await openFreshStore();
  await seedSubscribers(store, 1, { engagedDaysAgo: 100 });
  const { id } = await findOnlyPerson(store);
  const start = Math.floor(Date.now() / DAY - 50) * DAY;
  const send = async (days: number) => {
    const finished_at = toIso(start + days * DAY);
    const mail = { ...createDelivery('welcome', id, {}, start), state: 'sent' as const, finished_at };
    await enqueue(store, mail);
    return mail;
  };
  return {
    send,
    putBack: (days: number) => store.transaction((tx) => restore(tx, id, start + days * DAY)),
    /** @param times how often the same email is reported */
    bounce: async (fault: Bounce['fault'], days: number, times = 1) => {
      const { id: deliveryId, finished_at: sentAt } = await send(days);
      for (let time = 0; time < times; time += 1) {
        const bounce = { deliveryId, subscriberId: id, sentAt, fault, reason: 'a reply' };
        await store.transaction((tx) => applyBounce(tx, bounce, start + days * DAY));
      }
      return (await findOnlyPerson(store)).state;
    },
    reason: async () => (await findOnlyPerson(store)).undeliverable_reason,
  };
}

test('marks a full mailbox on the third day with a bounce, even if each is reported several times', async () => {
  const person = await startWithPerson();
  await person.bounce('full', 1, 3);
  await person.bounce('full', 1.1);
  await person.bounce('full', 2);
  expect(await person.bounce('full', 2.1)).toBe('subscribed');
  expect(await person.bounce('full', 9)).toBe('undeliverable');
  expect(await person.reason()).toBe('full or unreachable on 3 days: a reply');
});

test('marks a person at the second rejection without a reason, at least a day later', async () => {
  const person = await startWithPerson();
  await person.bounce('unclear', 1, 2);
  expect(await person.bounce('unclear', 1.9)).toBe('subscribed');
  expect(await person.bounce('unclear', 30)).toBe('undeliverable');
  expect(await person.reason()).toBe('rejected twice: a reply');
});

test('ignores a rejection without a reason once a later email was accepted', async () => {
  const person = await startWithPerson();
  await person.bounce('unclear', 1);
  await person.send(10);
  expect(await person.bounce('unclear', 20)).toBe('subscribed');
});

test('ignores what happened before the owner restored somebody', async () => {
  const person = await startWithPerson();
  await person.bounce('full', 1);
  await person.bounce('full', 2);
  await person.bounce('mailbox', 3);
  expect(await person.putBack(4)).toBe(true);
  expect(await person.bounce('full', 5)).toBe('subscribed');
});
