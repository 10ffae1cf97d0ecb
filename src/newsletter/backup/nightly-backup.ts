import { describeError } from '#shared/describe-error.ts';
import { explainError } from '#shared/explain-codes.ts';
import { onOwnersClock } from '#shared/owners-clock.ts';
import { runEvery } from '#shared/run-every.ts';
import { BACKUP_FAILURE } from './last-backup.ts';
import { keepMetadata, writeMetadata } from '../database/metadata.ts';
import type { Store } from '../database/open-store.ts';
import type { Opened } from '../open-list.ts';
import { makeBackup } from './make-backup.ts';

/** `log` takes one line, which contains no email address. */
type Options = Pick<Opened, 'env' | 'store'> & { log: (line: string) => void };

/**
 * Makes a backup every night at three, London time, on one of the servers. If no server was running at three, the
 * backup is made as soon as one is. Retention removes old backups.
 * @returns a function that stops it, and waits for a backup in progress
 */
export function runNightlyBackup({ env, store, log }: Options): () => Promise<void> {
  let notBefore = 0;
  return runEvery(60_000, async () => {
    const now = Date.now();
    try {
      if (now < notBefore || !(await claimNight(store, findNight(now)))) return;
      await makeBackup({ env, store });
      log('Backup: made.');
    } catch (error) {
      notBefore = now + RETRY_MS;
      log(`Backup: not made (${describeError(error)}); trying again in an hour.`);
      await recordFailure(store, error).catch(() => undefined);
    }
  });
}

const RETRY_MS = 3600_000;

/** Also releases the night, so that it can be claimed again. */
function recordFailure(store: Store, error: unknown): Promise<void> {
  return store.transaction(async (tx) => {
    await writeMetadata(tx, BACKUP_FAILURE, explainError(error));
    await writeMetadata(tx, LAST_NIGHT, 'failed');
  });
}

/** @returns the day of the most recent night for which a backup is due, such as `2026-11-28` */
export function findNight(now: number): string {
  return onOwnersClock(now).subtract({ hours: BACKUP_HOUR }).toPlainDate().toString();
}

/** London time. */
const BACKUP_HOUR = 3;

/** @returns whether this server is the one that makes tonight's backup */
function claimNight(store: Store, night: string): Promise<boolean> {
  return store.transaction(async (tx) => {
    // A new site has nobody on its list yet, so its first backup is made the next night.
    if ((await keepMetadata(tx, LAST_NIGHT, night)) === night) return false;
    const { numUpdatedRows } = await tx
      .updateTable('metadata')
      .set({ value: night })
      .where('name', '=', LAST_NIGHT)
      .where('value', '<>', night)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

const LAST_NIGHT = 'last-night-of-backup';
