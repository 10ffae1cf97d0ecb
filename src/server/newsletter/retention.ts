import { undoFutureTimes } from '#mail/queue/future-times.ts';
import { MAIL_PAUSE_MS } from '#store/new-delivery.ts';
import { iso } from '#store/iso-time.ts';
import type { MailFiles } from '#store/outbox.ts';
import type { Store } from '#store/open-store.ts';
import { forgetDays } from '#visits/stored-visits.ts';
import { purge } from '#list/purge.ts';

/**
 * Erases people whose retention period is over, now and once a day.
 * @param options.log takes one line without any address of a person
 * @returns ends it, and waits for what is under way
 */
export function runRetention(options: {
  store: Store;
  secret: string;
  mailFiles: MailFiles;
  log: (line: string) => void;
}): () => Promise<void> {
  const applyRetention = async () => {
    try {
      await retain(options, Date.now());
    } catch (error) {
      const { code, name } = error as { code?: string; name: string };
      options.log(`Retention: not done (${code ?? name}); tried again tomorrow.`);
    }
  };
  let underWay = applyRetention();
  const timer = setInterval(() => {
    underWay = applyRetention();
  }, DAY_MS);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

async function retain({ store, secret, mailFiles, log }: Parameters<typeof runRetention>[0], now: number) {
  await undoFutureTimes(store, now);
  const { gone, doubt, left } = await purge(store, { secret, mailFiles, now });
  if (gone.length > 0) log(`Retention: ${gone.length} erased.`);
  if (doubt !== undefined) {
    log(`Retention: held back, since ${doubt}. Check the clock, then see "subscribers purge --dry-run".`);
  }
  if (left.includes('outbox')) log('Retention: a file in the outbox cannot be removed; check who owns the folder.');
  if (left.includes('journal')) log('Retention: the journal is in use by another program; emptied tomorrow.');
  await store.db
    .deleteFrom('sent_mails')
    .where('taken_at', '<', iso(now - MAIL_PAUSE_MS))
    .execute();
  await forgetDays(store, now);
}

const DAY_MS = 24 * 3600_000;
