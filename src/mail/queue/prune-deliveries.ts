import type { Kysely, Transaction } from 'kysely';
import { DELETE_PORTION, READ_PORTION, readInPortions, splitRows } from '#store/in-portions.ts';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, Schema } from '#store/schema.ts';

/**
 * Deletes deliveries that ended more than 90 days ago. Two things stay in their smallest form: who has had an update,
 * since nobody gets it twice, and the id of a row in the sheet, by which it is erased.
 * The caller has asked `findClockDoubt` before.
 * @param now milliseconds since 1970
 */
export async function pruneDeliveries(store: Store, now: number): Promise<void> {
  const keptSince = iso(now - KEPT_MS);
  for await (const deliveries of readInPortions((afterId) => readDeliveries(store.db, afterId))) {
    const old = deliveries.filter(({ finished_at }) => finished_at !== null && finished_at < keptSince);
    const sheetRows = old.filter(
      ({ kind, state, details }) => kind === SHEET_ROW && state === 'sent' && details !== EMPTIED,
    );
    const others = old.filter(({ kind }) => kind !== SHEET_ROW);
    for (const some of splitRows(sheetRows, DELETE_PORTION)) {
      const rows = store.db.updateTable('deliveries').set({ details: EMPTIED });
      await store.statement(() => rows.where('id', 'in', toIds(some)).execute());
    }
    for (const some of splitRows(others, DELETE_PORTION)) await store.transaction((tx) => drop(tx, some));
  }
}

/** Longer than bounces and complaints take to come back. */
const KEPT_MS = 90 * 24 * 3600_000;

const SHEET_ROW = 'sheet-row';
const EMPTIED = '{}';

type Row = Pick<Delivery, 'id' | 'kind' | 'state' | 'details' | 'finished_at' | 'update_id' | 'subscriber_id'>;

function readDeliveries(db: Kysely<Schema>, afterId: string): Promise<Row[]> {
  return db
    .selectFrom('deliveries')
    .select(['id', 'kind', 'state', 'details', 'finished_at', 'update_id', 'subscriber_id'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(READ_PORTION)
    .execute();
}

async function drop(tx: Transaction<Schema>, deliveries: Row[]): Promise<void> {
  // A delivery that was retried since it was read is no longer finished.
  const dropped = await tx
    .deleteFrom('deliveries')
    .where('id', 'in', toIds(deliveries))
    .where('finished_at', 'is not', null)
    .returning(['state', 'update_id', 'subscriber_id'])
    .execute();
  const readers = dropped.flatMap(({ state, update_id, subscriber_id }) =>
    state === 'sent' && update_id !== null && subscriber_id !== null ? [{ update_id, subscriber_id }] : [],
  );
  if (readers.length === 0) return;
  await tx
    .insertInto('update_readers')
    .values(readers)
    .onConflict((conflict) => conflict.columns(['update_id', 'subscriber_id']).doNothing())
    .execute();
}

function toIds(rows: Row[]): string[] {
  return rows.map(({ id }) => id);
}
