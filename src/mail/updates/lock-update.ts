import type { Transaction } from 'kysely';
import type { Store } from '#store/open-store.ts';
import type { Schema, SentUpdate } from '#store/schema.ts';

/** Reads an update, and keeps others from changing it until the transaction ends. */
export function lockUpdate(store: Store, tx: Transaction<Schema>, id: string): Promise<SentUpdate | undefined> {
  const update = tx.selectFrom('updates').selectAll().where('id', '=', id);
  // SQLite has one writer at a time anyway.
  return (store.kind === 'postgres' ? update.forUpdate() : update).executeTakeFirst();
}
