import { expect, onTestFinished } from 'vitest';
import { type Clock, SYSTEM_CLOCK } from '#newsletter/deliveries/clock.ts';
import type { SendingCaps } from '#newsletter/deliveries/queue/mail-limits.ts';
import { openMailTransport } from '#newsletter/deliveries/smtp/mail-transport.ts';
import { runDeliveries } from '#newsletter/deliveries/run-deliveries.ts';
import { createMailSender } from '#newsletter/deliveries/smtp/mail-sender.ts';
import { listUpdates, readProgress, type UpdateProgress } from '#newsletter/updates/update-progress.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { Delivery, SentUpdate, Subscriber } from '#newsletter/database/schema.ts';
import { content } from '../../test-content.ts';
import { CAPS, queueForAll, TEMPLATE } from './queue-for-all.ts';
import { freshStore, openPlace, type StoreName, waitUntil } from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';
import { type SmtpServer, startSmtp } from './smtp-server.ts';

/** A new store, closed after the test. */
export async function openFreshStore(name: StoreName = 'SQLite'): Promise<Store> {
  return openPlace(await freshStore(name));
}

/** A mail server and a store, without a site. */
export async function startStoreAndSmtp(name?: StoreName): Promise<{ smtp: SmtpServer; store: Store }> {
  return { smtp: await startSmtp(), store: await openFreshStore(name) };
}

/** Like `startStoreAndSmtp`, but with an update queued for some people. */
export async function startWithUpdate(count: number, name?: StoreName) {
  const { smtp, store } = await startStoreAndSmtp(name);
  const people = await seedSubscribers(store, count);
  return { smtp, store, people, id: await queueForAll(store) };
}

export async function enqueue({ db }: Store, ...deliveries: Delivery[]): Promise<void> {
  await db.insertInto('deliveries').values(deliveries).execute();
}

/** All deliveries, in order. */
export function readDeliveries({ db }: Store): Promise<Delivery[]> {
  return db.selectFrom('deliveries').selectAll().orderBy('id').execute();
}

export function findOnlyPerson({ db }: Store): Promise<Subscriber> {
  return db.selectFrom('subscribers').selectAll().executeTakeFirstOrThrow();
}

/** The newest update's progress. */
export async function readNewest({ db }: Store): Promise<UpdateProgress> {
  const [update] = await listUpdates(db);
  return readProgress(db, update!);
}

/** Waits until the newest update is sent, or paused. */
export async function waitForState(store: Store, state: SentUpdate['state']): Promise<void> {
  await waitUntil(async () => expect((await readNewest(store)).state).toBe(state));
}

/** The recipients of all emails, in order. */
export function readRecipients({ taken }: SmtpServer): string[] {
  return taken.map(({ to }) => to).toSorted();
}

/**
 * A clock for tests: a sleep ends at once and advances the clock.
 * @param minJumpMs the minimum by which a sleep advances it
 */
export function jumpingClock(minJumpMs = 0): Clock & { set: (now: number) => void } {
  let now = Date.now();
  return {
    now: () => now,
    set: (time) => {
      now = time;
    },
    sleep: async (milliseconds, signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (!signal?.aborted) now += Math.max(milliseconds, minJumpMs);
    },
  };
}

/** Runs the queue with a store and a mail server, but without a site. */
export async function runQueue(
  store: Store,
  smtpUrl: string,
  options: { clock?: Clock; caps?: Partial<SendingCaps>; concurrency?: number } = {},
): Promise<{ stop: () => Promise<void>; log: string[] }> {
  const { clock = SYSTEM_CLOCK, caps, concurrency = 1 } = options;
  const log: string[] = [];
  const transport = openMailTransport({ smtpUrl, outbox: '', from: () => content.agency.email });
  const sources = {
    store,
    agency: content.agency,
    env: { NOTIFY_TO: 'owner@larkfield.example', BOUNCE_MAILBOX: undefined },
    signUpMails: { welcome: TEMPLATE, confirmation: TEMPLATE, renewal: TEMPLATE, newAddress: TEMPLATE },
    makeLinks: () => ({ unsubscribe: 'https://site.example/unsubscribe/token', site: 'https://site.example' }),
  };
  const stop = await runDeliveries({
    store,
    openMailSender: createMailSender(sources, transport),
    openSheetSender: undefined,
    caps: { ...CAPS, ...caps },
    concurrency,
    clock,
    log: (line) => log.push(line),
  });
  onTestFinished(stop);
  return { stop, log };
}
