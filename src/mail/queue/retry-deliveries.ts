import { sql } from 'kysely';
import { READ_PORTION, readInPortions } from '#store/in-portions.ts';
import { iso } from '#store/iso-time.ts';
import { GIVE_UP_AFTER_MS } from '#store/new-delivery.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery } from '#store/schema.ts';

/** Reads the deliveries that have not gone out, by the thousand, in the order of their ids, which is that of time. */
export function readUnsentDeliveries({ db }: Store, options: { onlyFailed: boolean }): AsyncGenerator<Delivery[]> {
  return readInPortions((afterId) =>
    db
      .selectFrom('deliveries')
      .selectAll()
      // As an expression, so that SQLite follows the ids instead of sorting all that wait for each portion.
      .where(
        sql<Delivery['state']>`state || ''`,
        'in',
        options.onlyFailed ? ['failed'] : ['waiting', 'sending', 'failed'],
      )
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(READ_PORTION)
      .execute(),
  );
}

export type Retried = {
  retried: number;
  /** Files of updates that were over, and go on. */
  reopened: string[];
  /** Files of updates that are cancelled or were missed: their mails are left as they are. */
  leftOut: string[];
  /** Files of updates that are paused: their mails wait until the update is resumed. */
  paused: string[];
};

/**
 * Makes deliveries due now, with their whole time before them again. They keep their ids, so that a person who got one
 * in spite of all can tell that it is the same. The caps on mails still hold.
 * @param which a delivery's id, an update's id for what failed of it, or `all` that failed or wait
 * @param now milliseconds since 1970
 */
export async function retryDeliveries(store: Store, which: string, now: number): Promise<Retried> {
  return store.transaction(async (tx) => {
    const matching = () =>
      tx
        .selectFrom('deliveries')
        .where('deliveries.state', 'in', ['waiting', 'failed'])
        .$if(which !== 'all', (query) =>
          query.where((where) =>
            where.or([
              where('deliveries.id', '=', which),
              where.and([where('deliveries.update_id', '=', which), where('deliveries.state', '=', 'failed')]),
            ]),
          ),
        );
    const updates = await matching()
      .innerJoin('updates', 'updates.id', 'deliveries.update_id')
      .select(['updates.id', 'updates.file', 'updates.state'])
      .distinct()
      .execute();
    const over = updates.filter(({ state }) => state === 'cancelled' || state === 'missed');
    const reopened = updates.filter(({ state }) => state === 'sent');
    const { numUpdatedRows } = await tx
      .updateTable('deliveries')
      .set({
        state: 'waiting',
        attempts: 0,
        interruptions: 0,
        due_at: iso(now),
        give_up_at: iso(now + GIVE_UP_AFTER_MS),
        finished_at: null,
        refusal: null,
      })
      .where('id', 'in', matching().select('deliveries.id'))
      .$if(over.length > 0, (query) =>
        query.where((where) =>
          where.or([
            where('update_id', 'is', null),
            where(
              'update_id',
              'not in',
              over.map(({ id }) => id),
            ),
          ]),
        ),
      )
      .executeTakeFirstOrThrow();
    for (const { id } of reopened) {
      const again = { state: 'sending' as const, finished_at: null, resumed_at: iso(now) };
      await tx.updateTable('updates').set(again).where('id', '=', id).execute();
    }
    const files = (rows: { file: string }[]) => rows.map(({ file }) => file);
    return {
      retried: Number(numUpdatedRows),
      reopened: files(reopened),
      leftOut: files(over),
      paused: files(updates.filter(({ state }) => state === 'paused')),
    };
  });
}
