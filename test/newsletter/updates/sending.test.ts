import { expect, onTestFinished, test, vi } from 'vitest';
import { readOutage } from '#newsletter/deliveries/smtp/mail-outage.ts';
import { listUnsent } from '#newsletter/deliveries/queue/unsent.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { Delivery } from '#newsletter/database/schema.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import {
  enqueue,
  findOnlyPerson,
  jumpingClock,
  openFreshStore,
  readDeliveries,
  readNewest,
  runQueue,
  startStoreAndSmtp,
} from '../setup/run-queue.ts';
import { isMissing, waitUntil } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { at, type SmtpBehaviour } from '../setup/smtp-server.ts';

const DAY = 24 * 3_600_000;

/** A mail server, and a store with one person. */
async function startWithReader() {
  const { smtp, store } = await startStoreAndSmtp();
  const [reader = ''] = await seedSubscribers(store, 1);
  return { smtp, store, reader };
}

async function queueWelcome(store: Store, now = Date.now()): Promise<void> {
  const { id } = await findOnlyPerson(store);
  await enqueue(store, createDelivery('welcome', id, {}, now));
}

test.each([
  [
    'of several lines is quoted in one',
    '550-5.1.1 There is no account\r\n550-5.1.1 of this name.\r\n550 5.1.1 reader0 unknown',
    '(550-5.1.1 There is no account 550-5.1.1 of this name. 550 5.1.1 … unknown)',
  ],
  ['of 100 kB is quoted from its beginning', `550 5.1.1 ${'no '.repeat(30_000)}reader0`, '(550 5.1.1 no no no'],
] as [string, SmtpBehaviour, string][])('a reply %s', async (_, behaviour, quoted) => {
  const { smtp, store } = await startWithReader();
  smtp.behave = at('RCPT TO', behaviour);
  await queueForAll(store);
  await runQueue(store, smtp.url);
  await waitUntil(async () => expect(await readDeliveries(store)).toMatchObject([{ state: 'failed' }]));
  const reason = (await readDeliveries(store))[0]?.last_error ?? '';
  expect(reason).toContain(`the mail server rejects this recipient ${quoted}`);
  expect(reason).toMatch(/^.{1,300}\)$/);
  expect(reason).not.toContain('reader0');
});

test('fails an email over the mail server’s size limit without sending it, and tells the owner why', async () => {
  const { smtp, store } = await startWithReader();
  smtp.extension = 'SIZE 100';
  await queueForAll(store);
  await runQueue(store, smtp.url);
  const last_error = 'the mail server doesn’t accept emails of this size (Message size larger than allowed 100)';
  await waitUntil(async () => expect(await readDeliveries(store)).toMatchObject([{ state: 'failed', last_error }]));
});

test('fails an email that is deferred for more than seven days and ten attempts, with the last reply', async () => {
  const { smtp, store } = await startWithReader();
  smtp.behave = at('RCPT TO', '451 4.7.1 try again later');
  // Otherwise the worker would poll in each second of the week.
  const clock = jumpingClock(3_600_000);
  const start = clock.now();
  await queueWelcome(store, start);
  await runQueue(store, smtp.url, { clock });
  await waitUntil(async () => expect(await readDeliveries(store)).toMatchObject([{ state: 'failed' }]));
  const [delivery] = await readDeliveries(store);
  expect(delivery?.last_error).toContain('451 4.7.1 try again later');
  expect(delivery?.attempts).toBeGreaterThan(10);
  expect(clock.now() - start).toBeGreaterThan(6.5 * DAY);
});

test('sends the next email without delay if the mail server closed the connection in between', async () => {
  const { smtp, store, reader } = await startWithReader();
  const running = await runQueue(store, smtp.url);
  await queueWelcome(store);
  await waitUntil(() => expect(smtp.taken).toHaveLength(1));
  smtp.hangUp();
  await enqueue(store, createDelivery('alert', null, { subject: 'a', text: 'b' }, Date.now()));
  await waitUntil(() => expect(smtp.taken).toHaveLength(2));
  expect(smtp.taken[0]?.to).toBe(reader);
  expect(running.log).toEqual([]);
});

test('renews the lease of a slow email, so that no other server sends it', async () => {
  const { smtp, store } = await startWithReader();
  smtp.behave = at('dot', 'silence');
  const clock = jumpingClock();
  await queueWelcome(store, clock.now());
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    await runQueue(store, `${smtp.url}?socketTimeout=60000`, { clock });
    await waitUntil(() => expect(smtp.mails).toHaveLength(1));
    clock.set(clock.now() + 100_000);
    vi.advanceTimersByTime(30_000);
    const minLease = clock.now() + 100_000;
    await waitUntil(async () =>
      expect(Date.parse((await readDeliveries(store))[0]?.lease_until ?? '')).toBeGreaterThan(minLease),
    );
  } finally {
    vi.useRealTimers();
    smtp.hangUp();
  }
});

test('resends an email that was interrupted by a kill once; a second time, fails it and tells the owner why', async () => {
  const { smtp, store } = await startWithReader();
  const { id } = await findOnlyPerson(store);
  const lease_until = toIso(Date.now());
  const crash = (interruptions: number): Delivery => ({
    ...createDelivery('welcome', id, {}, Date.now()),
    ...({ state: 'sending', attempts: 1, interruptions, lease_until } as const),
  });
  const [once, twice] = [crash(0), crash(1)];
  await enqueue(store, once, twice);
  await runQueue(store, smtp.url);
  const last_error = 'it may have arrived: the server stopped while it was sending this';
  const find = async ({ id: of }: Delivery) => (await readDeliveries(store)).find((each) => each.id === of);
  await waitUntil(async () => expect(await find(once)).toMatchObject({ state: 'sent' }));
  expect(await find(twice)).toMatchObject({ state: 'failed', last_error });
  expect(smtp.mails.map(({ messageId }) => messageId)).toEqual([expect.stringContaining(once.id)]);
});

test.skipIf(isMissing('PostgreSQL'))(
  'sends a killed server’s email from another server once its lease has expired, and not before',
  async () => {
    const { smtp, store } = await startStoreAndSmtp('PostgreSQL');
    const clock = jumpingClock();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const begin = (subject: string, leaseMs: number) => ({
      ...createDelivery('alert', null, { subject, text: '' }, clock.now()),
      ...({ state: 'sending', attempts: 1, lease_until: toIso(clock.now() + leaseMs) } as const),
    });
    await enqueue(store, begin('over', -1), begin('not over', 100_000));
    await runQueue(store, smtp.url, { clock });
    const subjects = () => smtp.taken.map(({ subject }) => subject);
    await waitUntil(() => expect(subjects()).toEqual(['over']));
    clock.set(clock.now() + 100_001);
    vi.advanceTimersByTime(60_000);
    await waitUntil(() => expect(subjects()).toEqual(['over', 'not over']));
  },
);

test('lists failed deliveries before waiting ones', async () => {
  const store = await openFreshStore();
  const alert = (now: number) => createDelivery('alert', null, { subject: 'a', text: 'b' }, now);
  const waiting = Array.from({ length: 100 }, (_, index) => alert(index));
  const failed = { ...alert(1000), state: 'failed' as const };
  await enqueue(store, ...waiting, failed);
  const { deliveries: listed, count } = await listUnsent(store.db);
  expect(count).toBe(101);
  expect(listed.map(({ id }) => id)).toEqual([failed, ...waiting.slice(0, 99)].map(({ id }) => id));
});

test('fails an email to a non-ASCII address without SMTPUTF8, with a clear reason, and sends the others', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  const [plain = ''] = await seedSubscribers(store, 1);
  await seedSubscribers(store, 1, { prefix: 'jürgen' });
  await queueForAll(store);
  await runQueue(store, smtp.url);
  await waitUntil(async () => expect((await readNewest(store)).state).toBe('sent'));
  expect(smtp.taken.map(({ to }) => to)).toEqual([plain]);
  expect(await readOutage(store.db)).toBeUndefined();
  const marked = store.db.selectFrom('subscribers').selectAll().where('state', '=', 'undeliverable');
  expect(await marked.execute()).toMatchObject([
    { email: 'jürgen0@example.org', undeliverable_reason: expect.stringContaining('doesn’t support SMTPUTF8') },
  ]);
});

test('sends an email to a non-ASCII address with SMTPUTF8', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  smtp.extension = 'SMTPUTF8';
  const people = await seedSubscribers(store, 1, { prefix: 'jürgen' });
  await queueForAll(store);
  await runQueue(store, smtp.url);
  await waitUntil(() => expect(smtp.taken.map(({ to }) => to)).toEqual(people));
});
