import type { Kysely } from 'kysely';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema } from '#store/schema.ts';

/** When the last backup that the backup command finished was made, as an ISO time; undefined before the first. */
export function readLastBackup(db: Kysely<Schema>): Promise<string | undefined> {
  return readFact(db, LAST_BACKUP);
}

/**
 * Said before the store is copied, so that the copy knows when it was made.
 * @param now milliseconds since 1970
 */
export function recordBackupBegun(store: Store, now: number): Promise<void> {
  return writeFact(store, BACKUP_BEGUN, iso(now));
}

/** @param now milliseconds since 1970 */
export function recordBackup(store: Store, now: number): Promise<void> {
  return writeFact(store, LAST_BACKUP, iso(now));
}

/**
 * The last backup of a restored list is the one that it was made from.
 * @param fileTime milliseconds since 1970: of the file, for backups that do not say when they were made
 */
export async function recordRestored(store: Store, fileTime: number): Promise<void> {
  await writeFact(store, LAST_BACKUP, (await readFact(store.db, BACKUP_BEGUN)) ?? iso(fileTime));
}

const LAST_BACKUP = 'last-backup';
const BACKUP_BEGUN = 'backup-begun';

async function readFact(db: Kysely<Schema>, name: string): Promise<string | undefined> {
  const fact = await db.selectFrom('metadata').select('value').where('name', '=', name).executeTakeFirst();
  return fact?.value;
}

async function writeFact(store: Store, name: string, value: string): Promise<void> {
  await store.statement((db) =>
    db
      .insertInto('metadata')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  );
}
