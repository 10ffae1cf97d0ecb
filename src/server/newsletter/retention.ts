import { describeError } from '#shared/describe-error.ts';
import { runEvery } from '#shared/run-every.ts';
import { pruneDeliveries } from '#mail/queue/prune-deliveries.ts';
import { removeErasedBytes } from '#store/erased-bytes.ts';
import type { Store } from '#store/open-store.ts';
import { deleteOldDays } from '#visits/stored-visits.ts';
import { findClockDoubt } from '#list/clock-doubt.ts';
import { purge } from '#list/purge.ts';

/**
 * Erases people after their retention period, and what else is too old to keep, now and once a day. Once an hour it
 * tries to remove the bytes of erased people from the file.
 * @param options.log takes one line without any address of a person
 * @returns ends it, and waits for the work that has begun
 */
export function runRetention(options: {
  store: Store;
  outbox: string;
  log: (line: string) => void;
}): () => Promise<void> {
  const report = (what: string, next: string) => (error: unknown) =>
    options.log(`${what} (${describeError(error)}); tried again ${next}.`);
  let hours = 0;
  return runEvery(HOUR_MS, async () => {
    const isDaily = hours % 24 === 0;
    hours += 1;
    if (isDaily) await retain(options, Date.now()).catch(report('Retention: not done', 'tomorrow'));
    await removeErasedBytes(options.store, Date.now()).catch(report('Erased bytes: still in the file', 'in an hour'));
  });
}

async function retain({ store, outbox, log }: Parameters<typeof runRetention>[0], now: number) {
  // First: mails that wait by a clock that was ahead are due, whatever fails afterwards.
  if ((await findClockDoubt(store.db, now)) === undefined) {
    await pruneDeliveries(store, now);
    await deleteOldDays(store, now);
  }
  const { erased, doubt, filesRemain } = await purge(store, { outbox, now });
  if (erased > 0) log(`Retention: ${erased} erased.`);
  if (doubt !== undefined) {
    log(`Retention: held back, since ${doubt}. Check the clock, then see "subscribers purge --dry-run".`);
  }
  if (filesRemain) log('Retention: a file in the outbox cannot be removed; check who owns the folder.');
}

const HOUR_MS = 3600_000;
