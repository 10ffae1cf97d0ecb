import { undoFutureTimes } from '#mail/queue/future-times.ts';
import { MAIL_PAUSE_MS } from '#store/new-delivery.ts';
import { pruneDeliveries } from '#mail/queue/prune-deliveries.ts';
import { removeErasedBytes } from '#store/erased-bytes.ts';
import { READ_PORTION, repeatInPortions } from '#store/in-portions.ts';
import { iso } from '#store/iso-time.ts';
import type { MailFiles } from '#store/outbox.ts';
import type { Store } from '#store/open-store.ts';
import { forgetDays } from '#visits/stored-visits.ts';
import { findClockDoubt } from '#list/clock-doubt.ts';
import { purge } from '#list/purge.ts';

/**
 * Erases people whose retention period is over, and what else is too old to keep, now and once a day. Once an hour it
 * looks whether the bytes of those who were erased can go from the file.
 * @param options.log takes one line without any address of a person
 * @returns ends it, and waits for the work that has begun
 */
export function runRetention(options: {
  store: Store;
  mailFiles: MailFiles;
  log: (line: string) => void;
}): () => Promise<void> {
  let inFlight: Promise<void> = Promise.resolve();
  const run = (work: () => Promise<void>) => {
    inFlight = inFlight.then(work).catch((error: unknown) => {
      const { code, name } = error as { code?: string; name: string };
      options.log(`Retention: not done (${code ?? name}); tried again tomorrow.`);
    });
  };
  const applyRetention = () => run(() => retain(options, Date.now()));
  applyRetention();
  const timers = [
    setInterval(applyRetention, DAY_MS),
    setInterval(() => run(() => removeErasedBytes(options.store, Date.now())), HOUR_MS),
  ];
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await inFlight;
  };
}

async function retain({ store, mailFiles, log }: Parameters<typeof runRetention>[0], now: number) {
  const clockDoubt = await findClockDoubt(store.db, now);
  if (clockDoubt === undefined) await undoFutureTimes(store, now);
  const { erased, doubt, remaining } = await purge(store, { mailFiles, now });
  if (erased > 0) log(`Retention: ${erased} erased.`);
  if (doubt !== undefined) {
    log(`Retention: held back, since ${doubt}. Check the clock, then see "subscribers purge --dry-run".`);
  }
  if (remaining.includes('outbox')) {
    log('Retention: a file in the outbox cannot be removed; check who owns the folder.');
  }
  if (remaining.includes('journal')) log('Retention: the journal is in use by another program; emptied tomorrow.');
  if (clockDoubt === undefined) {
    await forgetSentMails(store, now);
    await pruneDeliveries(store, now);
    await forgetDays(store, now);
  }
  await removeErasedBytes(store, now);
}

/** The limits on mails look back no further than a day. */
async function forgetSentMails(store: Store, now: number): Promise<void> {
  const before = iso(now - MAIL_PAUSE_MS);
  await repeatInPortions(async () => {
    const { numDeletedRows } = await store.statement((db) =>
      db
        .deleteFrom('sent_mails')
        .where('delivery_id', 'in', (select) =>
          select.selectFrom('sent_mails').select('delivery_id').where('taken_at', '<', before).limit(READ_PORTION),
        )
        .executeTakeFirst(),
    );
    return Number(numDeletedRows);
  });
}

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;
