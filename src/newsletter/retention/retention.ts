import { describeError } from '#shared/describe-error.ts';
import { onOwnersClock } from '#shared/owners-clock.ts';
import { runEvery } from '#shared/run-every.ts';
import { pruneDeliveries } from './prune-deliveries.ts';
import { removeErasedBytes } from './erased-bytes.ts';
import type { Store } from '../database/open-store.ts';
import { removeUnusedPictures } from '../updates/stored-pictures.ts';
import { deleteOldPageViews } from '../page-views/stored-page-views.ts';
import { isDayOver } from './check-clock.ts';
import { purge } from './purge.ts';
import { queueRenewals } from './renewals.ts';

type RetentionOptions = {
  store: Store;
  /** The folder of mails that are written as files. */
  outbox: string;
  /** Takes one line without any address of a person. */
  log: (line: string) => void;
};

/**
 * Once a day, erases people after their retention period, asks those whose period ends soon, and deletes whatever else
 * is too old to keep. At night it removes the bytes of erased people from the database file.
 * @returns stops it, and waits for the work in progress
 */
export function runRetention({ store, outbox, log }: RetentionOptions): () => Promise<void> {
  return runEvery(HOUR_MS, async () => {
    const now = Date.now();
    try {
      if (await isDayOver(store, now)) await deleteByAge({ store, outbox, log }, now);
      if (onOwnersClock(now).hour === QUIET_HOUR) await removeErasedBytes(store, now);
    } catch (error) {
      log(`Retention: not done (${describeError(error)}); tried again in an hour.`);
    }
  });
}

async function deleteByAge({ store, outbox, log }: RetentionOptions, now: number): Promise<void> {
  const { erased, filesRemain } = await purge(store, { outbox, now });
  if (erased === undefined) return;
  await deleteOldPageViews(store, now);
  await removeUnusedPictures(store.db, now);
  const asked = await queueRenewals(store, now);
  // Last: who was asked when is read from the deliveries.
  await pruneDeliveries(store, now);
  if (erased > 0) log(`Retention: ${erased} erased.`);
  if (asked > 0) log(`Retention: ${asked} asked whether they still want updates.`);
  if (filesRemain) log('Retention: a file in the outbox cannot be removed; check who owns the folder.');
}

const HOUR_MS = 3600_000;

/** On the owner's clock. Sign-ups wait while the file is rewritten, and the fewest come then. */
const QUIET_HOUR = 3;
