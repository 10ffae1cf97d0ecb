import type { ExpressionBuilder, Transaction } from 'kysely';
import { DELETE_PORTION, READ_PORTION, readInPortions, repeatInPortions, splitRows } from '#store/in-portions.ts';
import { toIso } from '#store/iso-time.ts';
import { GIVE_UP_AFTER_MS, MAIL_PAUSE_MS } from '#store/new-delivery.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema } from '#store/schema.ts';
import { latestCredible } from './mail-limits.ts';

/**
 * Deletes deliveries that ended more than 90 days ago. Two things stay: who has had an update, since nobody gets it twice,
 * and the rows of the sheet, which are erased by their ids.
 * The caller has asked `findClockDoubt` before.
 * @param now milliseconds since 1970
 */
export async function pruneDeliveries(store: Store, now: number): Promise<void> {
  await pruneSentMails(store, now);
  await correctTimes(store, now);
  const last = toIso(now - KEPT_MS);
  for await (const deliveries of readInPortions((afterId) => readDeliveries(store, afterId))) {
    const old = deliveries.filter(
      ({ kind, finished_at }) => kind !== 'sheet-row' && finished_at !== null && finished_at < last,
    );
    for (const some of splitRows(old, DELETE_PORTION)) {
      const ids = some.map(({ id }) => id);
      await store.transaction((tx) => drop(tx, ids));
    }
  }
}

/** The limits on mails look back no further than a day; later times were written under a wrong clock. */
async function pruneSentMails(store: Store, now: number): Promise<void> {
  const isOutside = (eb: ExpressionBuilder<Schema, 'sent_mails'>) =>
    eb.or([eb('taken_at', '<', toIso(now - MAIL_PAUSE_MS)), eb('taken_at', '>', latestCredible(now))]);
  await repeatInPortions(async () => {
    const { numDeletedRows } = await store.statement((db) =>
      db
        .deleteFrom('sent_mails')
        .where('delivery_id', 'in', (select) =>
          select.selectFrom('sent_mails').select('delivery_id').where(isOutside).limit(READ_PORTION),
        )
        .executeTakeFirst(),
    );
    return Number(numDeletedRows);
  });
}

/** What waits by a time of a clock that was ahead is due now. */
async function correctTimes(store: Store, now: number): Promise<void> {
  const due_at = toIso(now);
  await store.statement((db) =>
    db
      .updateTable('deliveries')
      .set({ queued_at: due_at, due_at, give_up_at: toIso(now + GIVE_UP_AFTER_MS) })
      .where('state', '=', 'waiting')
      .where('queued_at', '>', latestCredible(now))
      .execute(),
  );
  // Nothing is put off past its end by a clock that is right.
  await store.statement((db) =>
    db
      .updateTable('deliveries')
      .set({ due_at })
      .where('state', '=', 'waiting')
      .whereRef('due_at', '>', 'give_up_at')
      .execute(),
  );
}

/** Longer than bounces and complaints take to come back. */
const KEPT_MS = 90 * 24 * 3600_000;

function readDeliveries({ db }: Store, afterId: string) {
  return db
    .selectFrom('deliveries')
    .select(['id', 'kind', 'finished_at'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(READ_PORTION)
    .execute();
}

async function drop(tx: Transaction<Schema>, ids: string[]): Promise<void> {
  // A delivery that was retried since it was read is no longer finished.
  const dropped = await tx
    .deleteFrom('deliveries')
    .where('id', 'in', ids)
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
