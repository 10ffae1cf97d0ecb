import { runEvery } from '#shared/run-every.ts';
import { pruneDeliveries } from '#mail/queue/prune-deliveries.ts';
import { removeErasedBytes } from '#store/erased-bytes.ts';
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
  outbox: string;
  log: (line: string) => void;
}): () => Promise<void> {
  let hours = 0;
  return runEvery(HOUR_MS, async () => {
    const isDaily = hours % 24 === 0;
    hours += 1;
    try {
      if (isDaily) await retain(options, Date.now());
      await removeErasedBytes(options.store, Date.now());
    } catch (error) {
      const { code, name } = error as { code?: string; name: string };
      options.log(`Retention: not done (${code ?? name}); tried again tomorrow.`);
    }
  });
}

async function retain({ store, outbox, log }: Parameters<typeof runRetention>[0], now: number) {
  const clockDoubt = await findClockDoubt(store.db, now);
  const { erased, doubt, remaining } = await purge(store, { outbox, now });
  if (erased > 0) log(`Retention: ${erased} erased.`);
  if (doubt !== undefined) {
    log(`Retention: held back, since ${doubt}. Check the clock, then see "subscribers purge --dry-run".`);
  }
  if (remaining.includes('outbox')) {
    log('Retention: a file in the outbox cannot be removed; check who owns the folder.');
  }
  if (remaining.includes('journal')) log('Retention: the journal is in use by another program; emptied tomorrow.');
  if (clockDoubt === undefined) {
    await pruneDeliveries(store, now);
    await forgetDays(store, now);
  }
}

const HOUR_MS = 3600_000;
