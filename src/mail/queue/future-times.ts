import type { Kysely } from 'kysely';
import { DELETE_PORTION, READ_PORTION, readInPortions, splitRows } from '#store/in-portions.ts';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, Schema } from '#store/schema.ts';
import { GIVE_UP_AFTER_MS } from '#store/new-delivery.ts';

/**
 * Undoes what was written while the clock was ahead, so that it holds nothing up once the clock is right.
 * @param now milliseconds since 1970
 */
export async function undoFutureTimes(store: Store, now: number): Promise<void> {
  const future = latestCredible(now);
  await store.statement((db) => db.deleteFrom('sent_mails').where('taken_at', '>', future).execute());
  for await (const deliveries of readInPortions((afterId) => readTimes(store.db, afterId))) {
    const waiting = deliveries.filter(({ state }) => state === 'waiting');
    const times = { queued_at: iso(now), due_at: iso(now), give_up_at: iso(now + GIVE_UP_AFTER_MS) };
    await update(
      store,
      waiting.filter(({ queued_at }) => queued_at > future),
      times,
    );
    // Nothing is put off past its end by a clock that is right.
    await update(
      store,
      waiting.filter(({ queued_at, due_at, give_up_at }) => queued_at <= future && due_at > give_up_at),
      { due_at: iso(now) },
    );
  }
}

/** Times after this were written under a wrong clock; servers that share a database may differ by a minute. */
export function latestCredible(now: number): string {
  return iso(now + 60_000);
}

type Times = Pick<Delivery, 'id' | 'state' | 'queued_at' | 'due_at' | 'give_up_at'>;

function readTimes(db: Kysely<Schema>, afterId: string): Promise<Times[]> {
  return db
    .selectFrom('deliveries')
    .select(['id', 'state', 'queued_at', 'due_at', 'give_up_at'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(READ_PORTION)
    .execute();
}

async function update(store: Store, deliveries: Times[], times: Partial<Times>): Promise<void> {
  for (const some of splitRows(deliveries, DELETE_PORTION)) {
    const ids = some.map(({ id }) => id);
    await store.statement((db) =>
      db.updateTable('deliveries').set(times).where('id', 'in', ids).where('state', '=', 'waiting').execute(),
    );
  }
}
