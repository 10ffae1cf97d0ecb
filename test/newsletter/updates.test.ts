import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '#store/open-store.ts';
import { unsubscribe } from '#list/unsubscribe.ts';
import { retryDeliveries } from '#mail/queue/retry-deliveries.ts';
import { findTakenBack } from '#mail/updates/update-results.ts';
import { queueUpdate } from '#mail/updates/queue-update.ts';
import { cancelUpdate, listUpdates, pauseUpdate, readProgress, resumeUpdate } from '#mail/updates/update-states.ts';
import { countAudience } from '#mail/updates/audience.ts';
import { erase } from '#list/erase.ts';
import { content } from '../test-content.ts';
import { erasureOptions } from './erasing.ts';
import {
  freshStore,
  onEachStore,
  type RunningNewsletter,
  signUp,
  startNewsletter,
  waitUntil,
} from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';
import { type SmtpSink, startSmtp } from './smtp-sink.ts';

const UPDATE = {
  file: '2026-12-salaries.md',
  contentHash: 'as-it-was',
  template: {
    subject: 'What enterprise AEs earned',
    html: '<p>Pay</p><a href="https://unsubscribe.invalid/">Unsubscribe</a>',
    text: 'Pay. Unsubscribe https://unsubscribe.invalid/',
  },
  caps: { hourlyCap: 1_000_000, dailyCap: undefined },
};

/** Queues an update for everybody it is for. */
async function send(
  running: RunningNewsletter,
  fields: Partial<typeof UPDATE> & { roles?: string[]; sendAt?: number } = {},
) {
  const update = { ...UPDATE, ...fields };
  const { total } = await countAudience(running.newsletter.store.db, update);
  const now = Date.now();
  return queueUpdate(running.newsletter.store, { ...update, expected: total, sendAt: fields.sendAt ?? now }, now);
}

async function progress({ newsletter }: RunningNewsletter, id: string) {
  const updates = await listUpdates(newsletter.store.db);
  const update = updates.find((each) => each.id === id);
  if (update === undefined) throw new Error(`no update ${id}`);
  return readProgress(newsletter.store.db, update);
}

const recipients = (smtp: SmtpSink): string[] => smtp.mails.map(({ to }) => to).toSorted();

const VARIABLES = { MAIL_HOURLY_CAP: '1000000', SITE_URL: 'https://www.larkfield.example' };

onEachStore('an update', (name) => {
  async function start(smtp: SmtpSink, variables: Record<string, string> = {}) {
    return startNewsletter({ ...(await freshStore(name)), ...VARIABLES, SMTP_URL: smtp.url, ...variables });
  }

  test('goes to every subscriber once, and to nobody else', async () => {
    const smtp = await startSmtp();
    const running = await start(smtp);
    const { store } = running.newsletter;
    const people = await seedSubscribers(store, 70);
    await seedSubscribers(store, 3, { prefix: 'left', state: 'unsubscribed' });
    await seedSubscribers(store, 3, { prefix: 'bounced', state: 'undeliverable' });
    const id = await send(running);
    await seedSubscribers(store, 3, { prefix: 'later' });
    await waitUntil(async () => expect((await progress(running, id)).state).toBe('sent'));
    expect(recipients(smtp)).toEqual(people.toSorted());
  });

  test('goes to the roles that it is for, where no role counts as one', async () => {
    const smtp = await startSmtp();
    const running = await start(smtp);
    const { store } = running.newsletter;
    const founders = await seedSubscribers(store, 4, { prefix: 'founder', role: 'Founder' });
    const unknown = await seedSubscribers(store, 3, { prefix: 'unknown' });
    await seedSubscribers(store, 2, { prefix: 'other', role: 'Other' });
    const id = await send(running, { roles: ['Founder', ''] });
    await waitUntil(async () => expect((await progress(running, id)).state).toBe('sent'));
    expect(recipients(smtp)).toEqual([...founders, ...unknown].toSorted());
  });

  test('sent again goes only to those who never had it; a changed one to everybody a day later', async () => {
    const smtp = await startSmtp();
    const running = await start(smtp);
    await seedSubscribers(running.newsletter.store, 5);
    const first = await send(running);
    await waitUntil(async () => expect((await progress(running, first)).state).toBe('sent'));
    const late = await seedSubscribers(running.newsletter.store, 2, { prefix: 'late' });
    expect(await countAudience(running.newsletter.store.db, UPDATE)).toMatchObject({ total: 2, alreadySent: 5 });
    const second = await send(running);
    await waitUntil(async () => expect((await progress(running, second)).state).toBe('sent'));
    expect(recipients(smtp).filter((to) => late.includes(to))).toEqual(late);
    expect(smtp.mails).toHaveLength(7);
    expect(await countAudience(running.newsletter.store.db, { ...UPDATE, contentHash: 'changed' })).toMatchObject({
      total: 7,
      alreadySent: 0,
    });
  });

  test('is not queued when the list has changed since its people were counted', async () => {
    const smtp = await startSmtp();
    const running = await start(smtp);
    await seedSubscribers(running.newsletter.store, 5);
    const now = Date.now();
    await expect(queueUpdate(running.newsletter.store, { ...UPDATE, expected: 4, sendAt: now }, now)).rejects.toThrow(
      '5 people would get this now, not 4. Nothing was queued.',
    );
    expect(await listUpdates(running.newsletter.store.db)).toEqual([]);
    expect(await running.newsletter.store.db.selectFrom('deliveries').selectAll().execute()).toEqual([]);
  });

  test('reaches nobody who unsubscribes or is erased before their turn', async () => {
    const smtp = await startSmtp();
    // Mails that are held here for a while must not time out.
    const running = await start(smtp, { SMTP_URL: smtp.url.replaceAll('800', '60000') });
    const { store } = running.newsletter;
    const people = await seedSubscribers(store, 150);
    const held = Promise.withResolvers<void>();
    let holding = 0;
    smtp.beforeAccepting = () => {
      if (smtp.mails.length < 20) return undefined;
      holding += 1;
      return held.promise;
    };
    const id = await send(running);
    // Two are on their way, and held.
    await waitUntil(() => expect(holding).toBe(2));
    const rows = await store.db
      .selectFrom('deliveries')
      .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber_id')
      .select(['subscribers.address', 'deliveries.state'])
      .where('deliveries.state', '=', 'waiting')
      .execute();
    const waiting = rows.map(({ address }) => address);
    const leaving = waiting.slice(0, 5);
    const erased = waiting.slice(5, 10);
    for (const address of leaving) {
      const person = await store.db
        .selectFrom('subscribers')
        .select('id')
        .where('address', '=', address)
        .executeTakeFirstOrThrow();
      expect(await unsubscribe(store, person.id, 'unsubscribe link', running.newsletter.followUps, Date.now())).toBe(
        true,
      );
    }
    for (const address of erased) {
      await erase(store, address, erasureOptions(running));
    }
    held.resolve();
    await waitUntil(async () => expect((await progress(running, id)).state).toBe('sent'));
    const gone = new Set([...leaving, ...erased]);
    expect(recipients(smtp)).toEqual(people.filter((address) => !gone.has(address)).toSorted());
  });

  test('stops when it is paused, goes on when it is resumed, and ends when it is cancelled', async () => {
    const smtp = await startSmtp();
    smtp.beforeAccepting = () => pause(5);
    const running = await start(smtp);
    const { store } = running.newsletter;
    await seedSubscribers(store, 200);
    const id = await send(running);
    await waitUntil(() => expect(smtp.mails.length).toBeGreaterThan(10));
    expect(await pauseUpdate(store.db, id, 'for a test')).toBe(true);
    await waitUntil(async () => expect(await countSending(running)).toBe(0));
    // Welcome mails go out all the same. Behind the first no mail is left that was begun as the pause came; by the
    // second an update's mail would have gone out too.
    await signUp(running.url, { email: 'new@example.org' });
    await waitUntil(() => expect(recipients(smtp)).toContain('new@example.org'));
    const atPause = smtp.mails.length;
    expect(atPause).toBeLessThan(150);
    await signUp(running.url, { email: 'newer@example.org' });
    await waitUntil(() => expect(recipients(smtp)).toContain('newer@example.org'));
    expect(smtp.mails).toHaveLength(atPause + 1);

    expect(await resumeUpdate(store, id, UPDATE.caps, Date.now())).toBeDefined();
    await waitUntil(() => expect(smtp.mails.length).toBeGreaterThan(atPause + 20));
    const cancelled = await cancelUpdate(store, id, Date.now());
    expect(cancelled?.sent).toBeGreaterThan(20);
    await waitUntil(async () => expect(await countSending(running)).toBe(0));
    // Mails on their way at that moment have arrived, and count as sent.
    await waitUntil(async () => expect((await progress(running, id)).sent).toBe(smtp.mails.length - 2));
    const { state, sent, dropped, waiting } = await progress(running, id);
    expect({ state, waiting, people: sent + dropped }).toEqual({ state: 'cancelled', waiting: 0, people: 200 });
    expect(new Set(recipients(smtp)).size).toBe(smtp.mails.length);
  });

  test('lets welcome mails go first', async () => {
    const smtp = await startSmtp();
    const running = await start(smtp);
    await seedSubscribers(running.newsletter.store, 400);
    smtp.beforeAccepting = () => pause(5);
    const id = await send(running);
    await waitUntil(() => expect(smtp.mails.length).toBeGreaterThan(5));
    await signUp(running.url, { email: 'new@example.org' });
    await waitUntil(() => expect(recipients(smtp)).toContain('new@example.org'));
    expect((await progress(running, id)).waiting).toBeGreaterThan(200);
  });

  test('is paused when a server starts from an old snapshot of it, and the owner gets an alert', async () => {
    const smtp = await startSmtp();
    const variables = await freshStore(name);
    const store = await openStore({ databaseUrl: variables.DATABASE_URL, dataDir: variables.DATA_DIR });
    onTestFinished(() => store.close());
    await seedSubscribers(store, 3);
    const then = Date.now() - 3 * 3_600_000;
    await queueUpdate(store, { ...UPDATE, expected: 3, sendAt: then }, then);
    const running = await startNewsletter({ ...variables, ...VARIABLES, SMTP_URL: smtp.url });
    await waitUntil(() => expect(smtp.mails).toHaveLength(1));
    expect(smtp.mails[0]).toMatchObject({
      to: content.agency.email,
      subject: 'The sending of your update is paused',
    });
    expect(running.log.join('\n')).toContain('2026-12-salaries.md is paused: the server was away for 3 hours');
    expect(await listUpdates(store.db)).toMatchObject([{ state: 'paused' }]);
  });

  test('is paused when five mails in a row are refused for good; then nobody stays marked, and retry tries them again', async () => {
    const smtp = await startSmtp();
    smtp.behaviour = 'refuse for good';
    const running = await start(smtp);
    const { store } = running.newsletter;
    await seedSubscribers(store, 60);
    const id = await send(running);
    await waitUntil(async () => expect((await progress(running, id)).state).toBe('paused'));
    await waitUntil(async () => expect(await countSending(running)).toBe(0));
    const { failed, waiting, reasons } = await progress(running, id);
    expect(failed).toBeGreaterThanOrEqual(5);
    expect(failed).toBeLessThan(8);
    expect(waiting).toBe(60 - failed);
    expect(reasons).toEqual([
      { reason: expect.stringMatching(/^the mail server refuses this recipient \(550 5\.1\.1/), count: failed },
    ]);
    const states = await store.db.selectFrom('subscribers').select('state').distinct().execute();
    expect(states).toEqual([{ state: 'subscribed' }]);
    const { people, count } = await findTakenBack(store.db, id);
    expect([people.length, count]).toEqual([failed, failed]);
    smtp.behaviour = 'accept';
    await resumeUpdate(store, id, UPDATE.caps, Date.now());
    await waitUntil(async () => expect((await progress(running, id)).state).toBe('sent'));
    expect((await progress(running, id)).sent).toBe(60 - failed);
    expect(await retryDeliveries(store, id, Date.now())).toMatchObject({ retried: failed, reopened: [UPDATE.file] });
    await waitUntil(async () => expect((await progress(running, id)).sent).toBe(60));
    await waitUntil(async () => expect((await progress(running, id)).state).toBe('sent'));
  });

  test('begins at its time; one whose time has passed by more than an hour is reported and not sent', async () => {
    const smtp = await startSmtp();
    const running = await start(smtp, { NOTIFY_TO: 'owner@larkfield.example' });
    const { store } = running.newsletter;
    await seedSubscribers(store, 3);
    const soon = await send(running, { sendAt: Date.now() + 1500 });
    expect((await progress(running, soon)).state).toBe('scheduled');
    const missed = await send(running, { contentHash: 'another', sendAt: Date.now() + 3_600_000 });
    await store.db
      .updateTable('updates')
      .set({ send_at: new Date(Date.now() - 3_600_001).toISOString() })
      .where('id', '=', missed)
      .execute();
    await waitUntil(async () => expect((await progress(running, soon)).state).toBe('sent'));
    expect(await progress(running, missed)).toMatchObject({ state: 'missed', sent: 0, waiting: 0, dropped: 3 });
    await waitUntil(() => expect(recipients(smtp)).toContain('owner@larkfield.example'));
    expect(smtp.mails).toHaveLength(4);
  });

  test('carries the headers of a mail to many, and its own Message-ID', async () => {
    const smtp = await startSmtp();
    const running = await start(smtp);
    await seedSubscribers(running.newsletter.store, 1);
    const id = await send(running);
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
    const delivery = await running.newsletter.store.db.selectFrom('deliveries').select('id').executeTakeFirstOrThrow();
    expect(mail?.messageId).toBe(`<${delivery.id}@${domain}>`);
    expect(mail?.html).toContain('https://www.larkfield.example/newsletter/unsubscribe/');
  });
});

async function countSending({ newsletter }: RunningNewsletter): Promise<number> {
  const rows = await newsletter.store.db.selectFrom('deliveries').select('id').where('state', '=', 'sending').execute();
  return rows.length;
}
