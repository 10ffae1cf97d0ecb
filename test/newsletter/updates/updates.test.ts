import { join } from 'node:path';
import { expect, test } from 'vitest';
import { erase } from '#newsletter/subscribers/erase.ts';
import { unsubscribe } from '#newsletter/subscribers/unsubscribe.ts';
import { countAudience } from '#newsletter/updates/audience.ts';
import { queueUpdate } from '#newsletter/updates/queue-update.ts';
import { listUpdates, readProgress } from '#newsletter/updates/update-progress.ts';
import { pauseUpdate } from '#newsletter/updates/update-state.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { content } from '../../test-content.ts';
import { CAPS, queueForAll, TEMPLATE } from '../setup/queue-for-all.ts';
import {
  enqueue,
  jumpingClock,
  openFreshStore,
  readDeliveries,
  readRecipients,
  runQueue,
  startStoreAndSmtp,
  startWithUpdate,
  waitForState,
} from '../setup/run-queue.ts';
import { onEachStore, waitUntil } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { holdMails } from '../setup/smtp-server.ts';

const UPDATE = { file: 'update.md', textHash: 'hash' };

onEachStore('an update', (name) => {
  test('is sent to every subscriber once, and to nobody else', async () => {
    const { smtp, store } = await startStoreAndSmtp(name);
    const people = await seedSubscribers(store, 15);
    await seedSubscribers(store, 3, { prefix: 'left', state: 'unsubscribed' });
    await seedSubscribers(store, 3, { prefix: 'bounced', state: 'undeliverable' });
    await queueForAll(store);
    await seedSubscribers(store, 3, { prefix: 'later' });
    await runQueue(store, smtp.url, { concurrency: 2 });
    await waitForState(store, 'sent');
    expect(readRecipients(smtp)).toEqual(people.toSorted());
  });

  test('is sent again only to people who haven’t received it', async () => {
    const { smtp, store, people: first } = await startWithUpdate(5, name);
    await runQueue(store, smtp.url);
    await waitForState(store, 'sent');
    const late = await seedSubscribers(store, 2, { prefix: 'late' });
    expect(await countAudience(store.db, UPDATE)).toMatchObject({ total: 2, alreadySent: 5 });
    await queueForAll(store);
    await waitForState(store, 'sent');
    expect(readRecipients(smtp)).toEqual([...first, ...late].toSorted());
  });

  test('is not queued if the list has changed since its people were counted', async () => {
    const store = await openFreshStore(name);
    await seedSubscribers(store, 5);
    const now = Date.now();
    const update = { ...UPDATE, template: TEMPLATE, caps: CAPS, expected: 4, sendAt: now };
    await expect(queueUpdate(store, update, now)).rejects.toThrow(
      '5 people would get this now, not 4. Nothing was queued.',
    );
    expect(await listUpdates(store.db)).toEqual([]);
    expect(await readDeliveries(store)).toEqual([]);
  });

  test('reaches nobody who unsubscribes or is erased before their turn', async () => {
    const { smtp, store, people: addresses } = await startWithUpdate(30, name);
    const holding = holdMails(smtp, 10);
    await runQueue(store, smtp.url);
    await holding.atMail;
    const waiting = (await readDeliveries(store)).filter(({ state }) => state === 'waiting');
    const ids = waiting.slice(0, 10).map(({ subscriber_id }) => subscriber_id);
    const leaving = await store.db.selectFrom('subscribers').select(['id', 'email']).where('id', 'in', ids).execute();
    for (const { id } of leaving.slice(0, 5)) {
      const env = { SHEET_URL: undefined, NOTIFY_TO: undefined };
      expect(await unsubscribe(store, id, 'unsubscribe link', env, Date.now())).toBe(true);
    }
    const options = { secret: 'of no server', outbox: join(store.place, 'outbox'), now: Date.now() };
    for (const { email } of leaving.slice(5)) await erase(store, email, options);
    holding.accept();
    await waitForState(store, 'sent');
    const left = new Set(leaving.map(({ email }) => email));
    expect(readRecipients(smtp)).toEqual(addresses.filter((email) => !left.has(email)).toSorted());
  });
});

test('sends an update with the headers of bulk email, and with its own Message-ID', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  await seedSubscribers(store, 1);
  const html = '<a href="https://unsubscribe.invalid/">Unsubscribe</a>';
  const id = await queueForAll(store, { template: { ...TEMPLATE, html } });
  await runQueue(store, smtp.url);
  await waitUntil(() => expect(smtp.mails).toHaveLength(1));
  const [mail] = smtp.mails;
  const header = (key: string) => mail?.headers.find((each) => each.key === key)?.value;
  const { email } = content.agency;
  const domain = email.split('@')[1];
  // Without BOUNCE_MAILBOX, nobody reads unsubscribe emails, so no address is given.
  expect(header('list-unsubscribe')).toBe('<https://site.example/unsubscribe/token>');
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(header('list-id')).toBe(`<updates.${domain}>`);
  expect(header('feedback-id')).toBe(`${id}:update:${domain}`);
  expect(header('x-auto-response-suppress')).toBe('OOF, AutoReply');
  expect(header('reply-to')).toBe(email);
  expect(header('auto-submitted')).toBeUndefined();
  const [delivery] = await readDeliveries(store);
  expect(mail?.messageId).toBe(`<${delivery!.id}@${domain}>`);
  expect(mail?.html).toContain('https://site.example/unsubscribe/token');
});

test('starts an update at its time, but reports one that is more than an hour late instead of sending it', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  await seedSubscribers(store, 3);
  const clock = jumpingClock(60_000);
  const sendAt = clock.now() + 7_200_000;
  const times: number[] = [];
  smtp.behave = (step, to) => {
    if (step === 'dot' && to.startsWith('reader')) times.push(clock.now());
    return undefined;
  };
  const missed = await queueForAll(store, { file: 'another.md', sendAt: clock.now() + 3_600_000 });
  const send_at = toIso(clock.now() - 3_600_001);
  await store.db.updateTable('updates').set({ send_at }).where('id', '=', missed).execute();
  await queueForAll(store, { sendAt });
  await runQueue(store, smtp.url, { clock });
  await waitForState(store, 'sent');
  expect(Math.min(...times)).toBeGreaterThanOrEqual(sendAt);
  const reported = (await listUpdates(store.db)).find(({ id }) => id === missed);
  expect(await readProgress(store.db, reported!)).toMatchObject({ state: 'missed', sent: 0, waiting: 0, dropped: 3 });
  await waitUntil(() => expect(readRecipients(smtp)).toContain('owner@larkfield.example'));
  expect(smtp.mails).toHaveLength(4);
});

test('sends welcome emails first, and nothing else while an update is paused', async () => {
  const { smtp, store, id } = await startWithUpdate(30);
  await seedSubscribers(store, 2, { prefix: 'new' });
  const people = store.db.selectFrom('subscribers').select('id').where('email', 'like', 'new%').orderBy('email');
  const [first, second] = (await people.execute()).map((person) =>
    createDelivery('welcome', person.id, {}, Date.now()),
  );
  smtp.beforeAccepting = async () => {
    if (smtp.mails.length === 10) await enqueue(store, first!);
    if (smtp.mails.length === 11) await pauseUpdate(store.db, id, 'for a test');
  };
  await runQueue(store, smtp.url);
  await waitUntil(() => expect(smtp.taken).toHaveLength(11));
  await enqueue(store, second!);
  await waitUntil(() => expect(smtp.taken).toHaveLength(12));
  expect(smtp.taken.slice(10).map(({ to }) => to)).toEqual(['new0@example.org', 'new1@example.org']);
});

test('sends an update to its roles, and treats having no role as a role', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  const founders = await seedSubscribers(store, 4, { prefix: 'founder', role: 'Founder' });
  const unknown = await seedSubscribers(store, 3, { prefix: 'unknown' });
  await seedSubscribers(store, 2, { prefix: 'other', role: 'Other' });
  await queueForAll(store, { roles: ['Founder', ''] });
  await runQueue(store, smtp.url);
  await waitForState(store, 'sent');
  expect(readRecipients(smtp)).toEqual([...founders, ...unknown].toSorted());
});
