import type { Kysely } from 'kysely';
import { iso } from '../iso-time.ts';
import type { Store } from '../store/open-store.ts';
import type { Schema } from '../store/schema.ts';

/** When the backup command last finished, as an ISO time; undefined before the first. */
export async function readLastBackup(db: Kysely<Schema>): Promise<string | undefined> {
  const fact = await db.selectFrom('facts').select('value').where('name', '=', LAST_BACKUP).executeTakeFirst();
  return fact?.value;
}

/** @param now milliseconds since 1970 */
export async function recordBackup(store: Store, now: number): Promise<void> {
  await store.statement((db) =>
    db
      .insertInto('facts')
      .values({ name: LAST_BACKUP, value: iso(now) })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: iso(now) }))
      .execute(),
  );
}

const LAST_BACKUP = 'last-backup';
