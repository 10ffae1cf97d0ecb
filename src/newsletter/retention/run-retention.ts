import { describeError } from '#shared/describe-error.ts';
import { onOwnersClock } from '#shared/owners-clock.ts';
import { runEvery } from '#shared/run-every.ts';
import { removeOldPrivateFiles } from '../backup/private-file.ts';
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
  /** The folder with backups and exports. */
  privateDir: string;
  /** The folder that emails are written to. */
  outbox: string;
  /** Whether emails reach anybody. Without a mail server nobody is asked, and so nobody is erased for not replying. */
  hasMailServer: boolean;
  /** Takes one line, which contains no personal address. */
  log: (line: string) => void;
};

/**
 * Once a day, erases people after their retention period, asks those whose period ends soon, and deletes everything
 * else that is too old to keep (docs/retention.md lists it). It removes the bytes of erased people from the database
 * file: within a minute, or at night if the file is large.
 * @returns a function that stops it and waits for the work in progress
 */
export function runRetention(options: RetentionOptions): () => Promise<void> {
  const { store, log } = options;
  const stopDeleting = runEvery(HOUR_MS, async () => {
    const now = Date.now();
    try {
      if (await isDayOver(store, now)) await deleteByAge(options, now);
    } catch (error) {
      log(`Retention: failed (${describeError(error)}); trying again in an hour.`);
    }
  });
  const stopRewriting = runEvery(MINUTE_MS, async () => {
    const now = Date.now();
    // This fails while another program reads the file, and the next run tries again.
    await removeErasedBytes(store, now, onOwnersClock(now).hour === QUIET_HOUR).catch(() => undefined);
  });
  return async () => {
    await Promise.all([stopDeleting(), stopRewriting()]);
  };
}

async function deleteByAge(
  { store, outbox, privateDir, hasMailServer, log }: RetentionOptions,
  now: number,
): Promise<void> {
  const { erased, filesRemain } = await purge(store, { outbox, now });
  if (erased === undefined) return;
  await deleteOldPageViews(store, now);
  await removeUnusedPictures(store.db, now);
  const asked = hasMailServer ? await queueRenewals(store, now) : 0;
  // Last, since the deliveries show who was asked, and when.
  await pruneDeliveries(store, now);
  const files = removeOldPrivateFiles(privateDir, now);
  if (files.length > 0) log(`Retention: ${files.length} backups and exports more than 30 days old removed.`);
  if (erased > 0) log(`Retention: ${erased} erased.`);
  if (asked > 0) log(`Retention: ${asked} asked whether they still want updates.`);
  if (filesRemain) log('Retention: a file in the outbox cannot be removed; check who owns the folder.');
}

const HOUR_MS = 3600_000;
const MINUTE_MS = 60_000;

/** In the owner's time zone. Sign-ups wait while the file is rewritten, and this is when the fewest arrive. */
const QUIET_HOUR = 3;
