import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { unsubscribe } from '#list/unsubscribe.ts';
import { queueUpdate } from '#mail/updates/queue-update.ts';
import { listUpdates, pauseUpdate, readProgress } from '#mail/updates/update-states.ts';
import { countAudience } from '#mail/updates/audience.ts';
import { erase } from '#list/erase.ts';
import { toIso } from '#store/iso-time.ts';
import { content } from '../test-content.ts';
import { erasureOptions } from './erasing.ts';
import { CAPS, queueForAll, TEMPLATE } from './queue-for-all.ts';
import {
  freshStore,
  onEachStore,
  openPlace,
  type RunningNewsletter,
  signUp,
  startNewsletter,
  startWithSmtp,
  waitUntil,
} from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';
import { type SmtpServer, startSmtp } from './smtp-server.ts';

const UPDATE = { file: 'update.md', contentHash: 'hash' };

async function progress({ store }: RunningNewsletter, id: string) {
  const update = (await listUpdates(store.db)).find((each) => each.id === id);
  if (update === undefined) throw new Error(`no update ${id}`);
  return readProgress(store.db, update);
}

function isSent(running: RunningNewsletter, id: string) {
  return waitUntil(async () => expect((await progress(running, id)).state).toBe('sent'));
}

const recipients = (smtp: SmtpServer): string[] => smtp.mails.map(({ to }) => to).toSorted();

const VARIABLES = { MAIL_HOURLY_CAP: '1000000', SITE_URL: 'https://www.larkfield.example' };

onEachStore('an update', (name) => {
  const start = (variables: Record<string, string> = {}) => startWithSmtp(name, { ...VARIABLES, ...variables });

  test('goes to every subscriber once, and to nobody else', async () => {
    const { smtp, running } = await start();
    const { store } = running;
    const people = await seedSubscribers(store, 70);
    await seedSubscribers(store, 3, { prefix: 'left', state: 'unsubscribed' });
    await seedSubscribers(store, 3, { prefix: 'bounced', state: 'undeliverable' });
    const id = await queueForAll(store);
    await seedSubscribers(store, 3, { prefix: 'later' });
    await isSent(running, id);
    expect(recipients(smtp)).toEqual(people.toSorted());
  });

  test('goes to the roles that it is for, where no role counts as one', async () => {
    const { smtp, running } = await start();
    const { store } = running;
    const founders = await seedSubscribers(store, 4, { prefix: 'founder', role: 'Founder' });
    const unknown = await seedSubscribers(store, 3, { prefix: 'unknown' });
    await seedSubscribers(store, 2, { prefix: 'other', role: 'Other' });
    await isSent(running, await queueForAll(store, { roles: ['Founder', ''] }));
    expect(recipients(smtp)).toEqual([...founders, ...unknown].toSorted());
  });

  test('sent again goes only to those who never had it; a changed one to everybody a day later', async () => {
    const { smtp, running } = await start();
    const { store } = running;
    await seedSubscribers(store, 5);
    await isSent(running, await queueForAll(store));
    const late = await seedSubscribers(store, 2, { prefix: 'late' });
    expect(await countAudience(store.db, UPDATE)).toMatchObject({ total: 2, alreadySent: 5 });
    await isSent(running, await queueForAll(store));
    expect(recipients(smtp).filter((to) => late.includes(to))).toEqual(late);
    expect(smtp.mails).toHaveLength(7);
    const changed = await countAudience(store.db, { ...UPDATE, contentHash: 'changed' });
    expect(changed).toMatchObject({ total: 7, alreadySent: 0 });
  });

  test('is not queued when the list has changed since its people were counted', async () => {
    const { running } = await start();
    const { store } = running;
    await seedSubscribers(store, 5);
    const now = Date.now();
    const update = { ...UPDATE, template: TEMPLATE, caps: CAPS, expected: 4, sendAt: now };
    await expect(queueUpdate(store, update, now)).rejects.toThrow(
      '5 people would get this now, not 4. Nothing was queued.',
    );
    expect(await listUpdates(store.db)).toEqual([]);
    expect(await running.deliveries()).toEqual([]);
  });

  test('reaches nobody who unsubscribes or is erased before their turn', async () => {
    const { smtp, running } = await start();
    const { store, env } = running;
    const addresses = await seedSubscribers(store, 150);
    const held = Promise.withResolvers<void>();
    let holding = 0;
    smtp.beforeAccepting = () => {
      if (smtp.mails.length < 20) return undefined;
      holding += 1;
      return held.promise;
    };
    const id = await queueForAll(store);
    // Two are on their way, and held.
    await waitUntil(() => expect(holding).toBe(2));
    const waiting = (await running.deliveries()).filter(({ state }) => state === 'waiting');
    const people = await running.people();
    const gone = waiting.slice(0, 10).map((delivery) => people.find((each) => each.id === delivery.subscriber_id)!);
    for (const person of gone.slice(0, 5)) {
      expect(await unsubscribe(store, person.id, 'unsubscribe link', env, Date.now())).toBe(true);
    }
    for (const { address } of gone.slice(5)) await erase(store, address, erasureOptions(running));
    held.resolve();
    await isSent(running, id);
    const goneAddresses = new Set(gone.map(({ address }) => address));
    expect(recipients(smtp)).toEqual(addresses.filter((address) => !goneAddresses.has(address)).toSorted());
  });

  test('lets welcome mails go first, and alone while it is paused', async () => {
    const { smtp, running } = await start();
    smtp.beforeAccepting = () => pause(10);
    const { url, store } = running;
    await seedSubscribers(store, 300);
    const id = await queueForAll(store);
    await waitUntil(() => expect(smtp.mails.length).toBeGreaterThan(10));
    await signUp(url, { email: 'new@example.org' });
    await waitUntil(() => expect(recipients(smtp)).toContain('new@example.org'));
    expect(await pauseUpdate(store.db, id, 'for a test')).toBe(true);
    await waitUntil(async () => expect(await countSending(running)).toBe(0));
    // Behind the first no mail is left that was begun as the pause came.
    await signUp(url, { email: 'newer@example.org' });
    await waitUntil(() => expect(recipients(smtp)).toContain('newer@example.org'));
    const atPause = smtp.mails.length;
    expect(atPause).toBeLessThan(250);
    await signUp(url, { email: 'newest@example.org' });
    await waitUntil(() => expect(recipients(smtp)).toContain('newest@example.org'));
    expect(smtp.mails).toHaveLength(atPause + 1);
  });

  test('is paused when a server starts from an old snapshot of it, and the owner gets an alert', async () => {
    const smtp = await startSmtp();
    const place = await freshStore(name);
    const store = await openPlace(place);
    await seedSubscribers(store, 3);
    await queueForAll(store, { now: Date.now() - 3 * 3_600_000 });
    const running = await startNewsletter({ ...place, ...VARIABLES, SMTP_URL: smtp.url });
    await waitUntil(() => expect(smtp.mails).toHaveLength(1));
    const alert = { to: content.agency.email, subject: 'The sending of your update is paused' };
    expect(smtp.mails[0]).toMatchObject(alert);
    expect(running.log.join('\n')).toContain('update.md is paused: the server was away for 3 hours');
    expect(await listUpdates(store.db)).toMatchObject([{ state: 'paused' }]);
  });

  test('begins at its time; one whose time has passed by more than an hour is reported and not sent', async () => {
    const { smtp, running } = await start({ NOTIFY_TO: 'owner@larkfield.example' });
    const { store } = running;
    await seedSubscribers(store, 3);
    const sendAt = Date.now() + 1500;
    const times: number[] = [];
    smtp.mood = (step, to) => {
      if (step === 'dot' && to.startsWith('reader')) times.push(Date.now());
      return undefined;
    };
    const soon = await queueForAll(store, { sendAt });
    const missed = await queueForAll(store, { contentHash: 'another', sendAt: Date.now() + 3_600_000 });
    const send_at = toIso(Date.now() - 3_600_001);
    await store.db.updateTable('updates').set({ send_at }).where('id', '=', missed).execute();
    await isSent(running, soon);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(sendAt);
    expect(await progress(running, missed)).toMatchObject({ state: 'missed', sent: 0, waiting: 0, dropped: 3 });
    await waitUntil(() => expect(recipients(smtp)).toContain('owner@larkfield.example'));
    expect(smtp.mails).toHaveLength(4);
  });

  test('carries the headers of a mail to many, and its own Message-ID', async () => {
    const { smtp, running } = await start();
    await seedSubscribers(running.store, 1);
    const html = '<a href="https://unsubscribe.invalid/">Unsubscribe</a>';
    const id = await queueForAll(running.store, { template: { ...TEMPLATE, html } });
    await waitUntil(() => expect(smtp.mails).toHaveLength(1));
    const [mail] = smtp.mails;
    const header = (key: string) => mail?.headers.find((each) => each.key === key)?.value;
    const { email } = content.agency;
    const domain = email.split('@')[1];
    // Without BOUNCE_MAILBOX nobody reads a mail that unsubscribes, so none is named.
    const web = String(header('list-unsubscribe'));
    expect(web).toMatch(/^<https:\/\/www\.larkfield\.example\/newsletter\/unsubscribe\/[\w.-]+>$/);
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(header('list-id')).toBe(`<updates.${domain}>`);
    expect(header('feedback-id')).toBe(`${id}:update:${domain}`);
    expect(header('reply-to')).toBe(email);
    expect(header('auto-submitted')).toBeUndefined();
    const [delivery] = await running.deliveries();
    expect(mail?.messageId).toBe(`<${delivery!.id}@${domain}>`);
    expect(mail?.html).toContain('https://www.larkfield.example/newsletter/unsubscribe/');
  });
});

async function countSending({ deliveries }: RunningNewsletter): Promise<number> {
  return (await deliveries()).filter(({ state }) => state === 'sending').length;
}
