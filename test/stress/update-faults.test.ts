import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { toIso } from '#newsletter/database/iso-time.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { startBuiltServer } from '../newsletter/setup/built-server.ts';
import { queueForAll } from '../newsletter/setup/queue-for-all.ts';
import { readNewest } from '../newsletter/setup/run-queue.ts';
import { freshStore, isMissing, openPlace, type Place } from '../newsletter/setup/running-newsletter.ts';
import { seedSubscribers } from '../newsletter/setup/seed-subscribers.ts';
import { type SmtpServer, startSmtp } from '../newsletter/setup/smtp-server.ts';

const PEOPLE = 2000;
const KILLS = 50;
const KILLS_OF_TWO = 20;
const MAIL_CONCURRENCY = 2;

const patient = { timeout: 300_000, interval: 50 };
const timeout = 900_000;

/** An update queued for a list, its mail server, and a store that stays open while servers start and stop. */
async function queued(place: Place) {
  const smtp = await startSmtp();
  smtp.beforeAccepting = () => pause(2);
  const store = await openPlace(place);
  const people = await seedSubscribers(store, PEOPLE);
  await queueForAll(store);
  const variables = {
    ...place,
    SMTP_URL: smtp.url,
    MAIL_CONCURRENCY: String(MAIL_CONCURRENCY),
    MAIL_HOURLY_CAP: '1000000',
    SIGNING_SECRET: 'a secret that all servers share, 32 long',
  };
  const sent = { state: 'sent', waiting: 0, failed: 0, sent: PEOPLE };
  return {
    store,
    smtp,
    start: () => startBuiltServer(variables),
    hasReached: (count: number) =>
      vi.waitFor(() => expect(smtp.mails.length).toBeGreaterThan(count), { ...patient, interval: 1 }),
    isSent: () => vi.waitFor(async () => expect(await readNewest(store)).toMatchObject(sent), patient),
    repeats: () => repeats(smtp, people),
  };
}

/** @returns how many emails arrived twice, with the same Message-ID */
function repeats(smtp: SmtpServer, people: string[]): number {
  const messages = Map.groupBy(smtp.mails, ({ to }) => to);
  expect([...messages.keys()].toSorted()).toEqual(people.toSorted());
  for (const mails of messages.values()) expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
  return smtp.mails.length - messages.size;
}

test(
  `reaches everybody even if the server is killed ${KILLS} times, and repeats only emails in flight`,
  { timeout },
  async () => {
    const update = await queued(await freshStore());
    for (let kills = 0; kills < KILLS; kills += 1) {
      const server = await update.start();
      // Emails that were in flight at the last kill go out first, and must not be interrupted again.
      await update.hasReached(update.smtp.mails.length + 4 + Math.random() * (PEOPLE / KILLS - 25));
      await server.kill();
    }
    expect(update.smtp.mails.length).toBeLessThan(PEOPLE);
    const server = await update.start();
    await update.isSent();
    await server.stop();
    const twice = update.repeats();
    process.stdout.write(`Update to ${PEOPLE}: ${KILLS} kills, ${twice} emails twice with the same Message-ID\n`);
    expect(twice).toBeLessThanOrEqual(KILLS * MAIL_CONCURRENCY);
  },
);

test.skipIf(isMissing('PostgreSQL'))(
  `reaches everybody from two servers on one PostgreSQL, one killed ${KILLS_OF_TWO} times, and repeats only emails in flight`,
  { timeout },
  async () => {
    const update = await queued(await freshStore('PostgreSQL'));
    const { smtp, store } = update;
    const both = Promise.withResolvers<void>();
    smtp.beforeAccepting = () => both.promise;
    const servers = [await update.start(), await update.start()];
    smtp.beforeAccepting = () => pause(2);
    both.resolve();
    for (let kills = 0; kills < KILLS_OF_TWO; kills += 1) {
      await update.hasReached(smtp.mails.length + 4 + Math.random() * (PEOPLE / KILLS_OF_TWO - 60));
      const { held, release } = await holdAllConnections(smtp, store);
      const started = Promise.withResolvers<void>();
      await servers.shift()?.kill();
      // The other server would soon be done, so its next emails wait until there are two servers again.
      release(started.promise);
      await endLeases(store, held);
      servers.push(await update.start());
      started.resolve();
    }
    await update.isSent();
    await Promise.all(servers.map((server) => server.stop()));
    const twice = update.repeats();
    process.stdout.write(`Two servers, ${PEOPLE} people: ${KILLS_OF_TWO} kills, ${twice} emails twice\n`);
    expect(twice).toBeLessThanOrEqual(KILLS_OF_TWO * MAIL_CONCURRENCY);
  },
);

/**
 * Makes emails on all connections wait for their reply, so that a kill interrupts some. None of them has been
 * interrupted before, since a second interruption would make it fail. @returns the deliveries, and a function that lets
 * the replies through, those of later emails not before `until`
 */
async function holdAllConnections(
  smtp: SmtpServer,
  { db }: Store,
): Promise<{ held: string[]; release: (until?: Promise<void>) => void }> {
  for (;;) {
    const answer = Promise.withResolvers<void>();
    let waiting = 0;
    smtp.beforeAccepting = () => {
      waiting += 1;
      return answer.promise;
    };
    const release = (until?: Promise<void>) => {
      smtp.beforeAccepting = () => until ?? pause(2);
      answer.resolve();
    };
    await vi.waitFor(() => expect(waiting).toBe(2 * MAIL_CONCURRENCY), patient);
    const rows = await db
      .selectFrom('deliveries')
      .select(['id', 'interruptions'])
      .where('state', '=', 'sending')
      .execute();
    if (rows.every(({ interruptions }) => interruptions === 0)) return { held: rows.map(({ id }) => id), release };
    release();
  }
}

/** Ends the leases of a killed server, as if minutes had passed. */
async function endLeases({ db }: Store, held: string[]): Promise<void> {
  const left = db.selectFrom('deliveries').select('id').where('id', 'in', held).where('state', '=', 'sending');
  await vi.waitFor(async () => expect(await left.execute()).toHaveLength(MAIL_CONCURRENCY), patient);
  await db
    .updateTable('deliveries')
    .set({ lease_until: toIso(Date.now() - 1) })
    .where('id', 'in', left)
    .execute();
}
