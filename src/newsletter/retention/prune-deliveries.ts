import type { Kysely, Transaction } from 'kysely';
import { DELETE_BATCH, READ_BATCH, readInBatches, repeatInBatches, splitIntoBatches } from '../database/batches.ts';
import { toIso } from '../database/iso-time.ts';
import { MAIL_PAUSE_MS } from '../deliveries/queue/new-delivery.ts';
import type { Store } from '../database/open-store.ts';
import type { Delivery, Schema } from '../database/schema.ts';

/**
 * Deletes the deliveries that ended more than 90 days ago. Two things are kept: who has received an update, since
 * nobody gets it twice, and the ids of the sheet's rows, which are needed to erase those rows.
 * @param now milliseconds since 1970
 */
export async function pruneDeliveries(store: Store, now: number): Promise<void> {
  await pruneSentMails(store, now);
  for await (const deliveries of readInBatches((afterId) => readDeliveries(store.db, afterId))) {
    const old = deliveries.filter(
      ({ kind, finished_at }) => kind !== 'sheet-row' && finished_at !== null && finished_at < toIso(now - KEPT_MS),
    );
    for (const some of splitIntoBatches(old, DELETE_BATCH)) await store.transaction((tx) => drop(tx, some));
  }
}

/** The sending limits count the last 24 hours; older rows aren't needed. */
async function pruneSentMails(store: Store, now: number): Promise<void> {
  await repeatInBatches(async () => {
    const old = store.db
      .selectFrom('sent_mails')
      .select('delivery_id')
      .where('taken_at', '<', toIso(now - MAIL_PAUSE_MS));
    const { numDeletedRows } = await store.transaction((tx) =>
      tx.deleteFrom('sent_mails').where('delivery_id', 'in', old.limit(READ_BATCH)).executeTakeFirst(),
    );
    return Number(numDeletedRows);
  });
}

/** Longer than bounces and complaints take to arrive. */
export const KEPT_MS = 90 * 24 * 3600_000;

const READ = ['id', 'kind', 'finished_at'] as const;

type Row = Pick<Delivery, (typeof READ)[number]>;

function readDeliveries(db: Kysely<Schema>, afterId: string): Promise<Row[]> {
  return db.selectFrom('deliveries').select(READ).where('id', '>', afterId).orderBy('id').limit(READ_BATCH).execute();
}

async function drop(tx: Transaction<Schema>, deliveries: Row[]): Promise<void> {
  // A delivery that has been retried since it was read is no longer finished.
  const dropped = await tx
    .deleteFrom('deliveries')
    .where('id', 'in', toIds(deliveries))
    .where('finished_at', 'is not', null)
    .returning(['state', 'update_id', 'subscriber_id'])
    .execute();
  const sent = dropped.filter(({ state }) => state === 'sent');
  const updates = await tx
    .selectFrom('updates')
    .select(['id', 'file', 'text_hash'])
    .where('id', 'in', ['', ...new Set(sent.flatMap(({ update_id }) => update_id ?? []))])
    .execute();
  const readers = sent.flatMap(({ update_id, subscriber_id }) => {
    const update = updates.find(({ id }) => id === update_id);
    if (update === undefined || subscriber_id === null) return [];
    return [{ subscriber_id, update_id, file: update.file, text_hash: update.text_hash }];
  });
  if (readers.length === 0) return;
  await tx
    .insertInto('update_readers')
    .values(readers)
    .onConflict((conflict) => conflict.columns(['subscriber_id', 'file', 'text_hash']).doNothing())
    .execute();
}

function toIds(rows: Row[]): string[] {
  return rows.map(({ id }) => id);
}
