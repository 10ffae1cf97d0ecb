import type { Kysely } from 'kysely';
import { toIso } from '#store/iso-time.ts';
import { readMetadata, writeMetadata } from '#store/metadata.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema } from '#store/schema.ts';

/** When the last backup that the backup command finished was made, as an ISO time; undefined before the first. */
export function readLastBackup(db: Kysely<Schema>): Promise<string | undefined> {
  return readMetadata(db, LAST_BACKUP);
}

/**
 * Called before the store is copied, so that the copy says when it was made.
 * @param now milliseconds since 1970
 */
export function recordBackupBegun(store: Store, now: number): Promise<void> {
  return store.transaction((tx) => writeMetadata(tx, BACKUP_BEGUN, toIso(now)));
}

/** @param now milliseconds since 1970 */
export function recordBackup(store: Store, now: number): Promise<void> {
  return store.transaction((tx) => writeMetadata(tx, LAST_BACKUP, toIso(now)));
}

/**
 * The last backup of a restored list is the one that it was made from.
 * @param fileTime milliseconds since 1970: of the file, for backups that do not say when they were made
 */
export async function recordRestored(store: Store, fileTime: number): Promise<void> {
  const madeAt = (await readMetadata(store.db, BACKUP_BEGUN)) ?? toIso(fileTime);
  await store.transaction((tx) => writeMetadata(tx, LAST_BACKUP, madeAt));
}

const LAST_BACKUP = 'last-backup';
const BACKUP_BEGUN = 'backup-begun';
