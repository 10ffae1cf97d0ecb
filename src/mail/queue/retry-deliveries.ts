import { READ_PORTION, readInPortions } from '#store/in-portions.ts';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery } from '#store/schema.ts';
import { GIVE_UP_AFTER_MS } from '#store/new-delivery.ts';

/** Reads the deliveries that have not gone out, by the thousand, in the order of their ids, which is that of time. */
export function readUnsentDeliveries({ db }: Store, options: { onlyFailed: boolean }): AsyncGenerator<Delivery[]> {
  return readInPortions((afterId) =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('state', 'in', options.onlyFailed ? ['failed'] : ['waiting', 'failed'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(READ_PORTION)
      .execute(),
  );
}

/**
 * Makes deliveries due now, with their whole time before them again. They keep their ids, so whoever got one in spite
 * of all can tell that it is the same. The caps on mails still hold.
 * @param which a delivery's id, or `all` that failed or wait
 * @param now milliseconds since 1970
 * @returns how many will be tried again
 */
export async function retryDeliveries(store: Store, which: string, now: number): Promise<number> {
  return store.transaction(async (tx) => {
    const retried = await tx
      .updateTable('deliveries')
      .set({
        state: 'waiting',
        attempts: 0,
        interruptions: 0,
        due_at: iso(now),
        give_up_at: iso(now + GIVE_UP_AFTER_MS),
        finished_at: null,
      })
      .where('state', 'in', ['waiting', 'failed'])
      // What is being sent at this moment is left alone.
      .where((where) => where.or([where('claimed_until', 'is', null), where('claimed_until', '<', iso(now))]))
      .$if(which !== 'all', (query) => query.where('id', '=', which))
      .returning('id')
      .execute();
    return retried.length;
  });
}
