import type { Kysely } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';

/** When the last complete backup was made, as an ISO time; undefined before the first. */
export function readLastBackup(db: Kysely<Schema>): Promise<string | undefined> {
  return readMetadata(db, LAST_BACKUP);
}

/** @param now milliseconds since 1970 */
export function recordBackup(store: Store, now: number): Promise<void> {
  return store.transaction(async (tx) => {
    await writeMetadata(tx, LAST_BACKUP, toIso(now));
    await tx.deleteFrom('metadata').where('name', '=', BACKUP_FAILURE).execute();
  });
}

const LAST_BACKUP = 'last-backup';

/** Why the last nightly backup failed; removed once one succeeds. */
export const BACKUP_FAILURE = 'backup-failure';
