import { type Kysely, sql, type Transaction } from 'kysely';
import { READ_PORTION, readInPortions } from '#store/in-portions.ts';
import { toIso } from '#store/iso-time.ts';
import { GIVE_UP_AFTER_MS } from '#store/new-delivery.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, Schema, SentUpdate } from '#store/schema.ts';

type Retried = {
  retried: number;
  /** Files of updates that were over, and go on. */
  reopened: string[];
  /** Files of updates that are cancelled or were missed: their mails are left as they are. */
  leftOut: string[];
  /** Files of updates that are paused: their mails wait until the update is resumed. */
  paused: string[];
};

/**
 * Makes deliveries due now, with their whole time before them again, by the thousand. They keep their ids, so that a
 * person who got one in spite of all can tell that it is the same. The caps on mails still hold.
 * @param which a delivery's id, an update's id for what failed of it, or `all` that failed or wait
 * @param now milliseconds since 1970
 */
export async function retryDeliveries(store: Store, which: string, now: number): Promise<Retried> {
  const updates = new Map<string, RetriedUpdate>();
  let retried = 0;
  for await (const rows of readInPortions((afterId) => readRetriable(store.db, which, afterId))) {
    retried += await store.transaction((tx) => retryPortion(tx, rows, updates, now));
  }
  const files = (...states: SentUpdate['state'][]) =>
    [...updates.values()].filter(({ state }) => states.includes(state)).map(({ file }) => file);
  return { retried, reopened: files('sent'), leftOut: files(...OVER), paused: files('paused') };
}

/** An update with the state in which it was first met. */
type RetriedUpdate = Pick<SentUpdate, 'id' | 'file' | 'state'>;
type Row = Pick<Delivery, 'id' | 'update_id'>;

const OVER: SentUpdate['state'][] = ['cancelled', 'missed'];

function readRetriable(db: Kysely<Schema>, which: string, afterId: string): Promise<Row[]> {
  // As expressions, so that SQLite follows the ids instead of sorting all that match for each portion.
  const isIn = (...states: Delivery['state'][]) => sql<boolean>`state || '' in (${sql.join(states)})`;
  return db
    .selectFrom('deliveries')
    .select(['id', 'update_id'])
    .where((where) =>
      where.and([
        isIn('waiting', 'failed'),
        which === 'all'
          ? sql.lit(true)
          : where.or([where('id', '=', which), where.and([sql<boolean>`update_id || '' = ${which}`, isIn('failed')])]),
      ]),
    )
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(READ_PORTION)
    .execute();
}

/** @returns how many are due again; those that begin at this moment, and those of an update that is over, are left */
async function retryPortion(
  tx: Transaction<Schema>,
  rows: Row[],
  updates: Map<string, RetriedUpdate>,
  now: number,
): Promise<number> {
  const updateIds = new Set(rows.flatMap(({ update_id }) => update_id ?? []));
  for (const id of updateIds) {
    const update = await tx
      .selectFrom('updates')
      .select(['id', 'file', 'state'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (update === undefined) continue;
    if (!updates.has(id)) updates.set(id, update);
    if (OVER.includes(update.state)) updateIds.delete(id);
    if (update.state !== 'sent') continue;
    const again = { state: 'sending' as const, finished_at: null, resumed_at: toIso(now) };
    await tx.updateTable('updates').set(again).where('id', '=', id).execute();
  }
  const ids = rows.filter(({ update_id }) => update_id === null || updateIds.has(update_id)).map(({ id }) => id);
  if (ids.length === 0) return 0;
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({
      state: 'waiting',
      attempts: 0,
      interruptions: 0,
      due_at: toIso(now),
      give_up_at: toIso(now + GIVE_UP_AFTER_MS),
      finished_at: null,
      refusal: null,
    })
    .where('id', 'in', ids)
    .where('state', 'in', ['waiting', 'failed'])
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
