import type { Kysely } from 'kysely';
import { toIso } from './iso-time.ts';
import { readMetadata, writeMetadata } from './metadata.ts';
import type { Store } from './open-store.ts';
import type { Schema } from './schema.ts';

/** When the last complete backup was made, as an ISO time; undefined before the first. */
export function readLastBackup(db: Kysely<Schema>): Promise<string | undefined> {
  return readMetadata(db, LAST_BACKUP);
}

/** @param now milliseconds since 1970 */
export function recordBackup(store: Store, now: number): Promise<void> {
  return store.transaction((tx) => writeMetadata(tx, LAST_BACKUP, toIso(now)));
}

const LAST_BACKUP = 'last-backup';
