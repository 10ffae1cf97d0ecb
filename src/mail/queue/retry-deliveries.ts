import type { NotNull, Transaction } from 'kysely';
import { toIso } from '#store/iso-time.ts';
import { GIVE_UP_AFTER_MS } from '#store/new-delivery.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema, SentUpdate } from '#store/schema.ts';
import { OVER } from '../updates/update-states.ts';
import { readUnsentDeliveries } from './unsent.ts';

type Retried = {
  retried: number;
  /** Files of updates that were over, and go on. */
  reopened: string[];
  /** Files of updates that have not begun, are cancelled or were missed: their mails are left as they are. */
  leftOut: string[];
  /** Files of updates that are paused: their mails wait until the update is resumed. */
  paused: string[];
};

/**
 * Makes deliveries due now, a thousand at a time, and gives each its whole time again. They keep their ids, so that a
 * person who already got one sees that it is the same, and their interruptions, since they may have arrived. The caps on
 * mails still hold.
 * @param which a delivery's id, an update's id for what failed of it, or `all` that failed or wait
 * @param now milliseconds since 1970
 */
export async function retryDeliveries(store: Store, which: string, now: number): Promise<Retried> {
  const updates = await store.db.selectFrom('updates').select(['id', 'file', 'state']).execute();
  const concerned = new Set<string | null>();
  let retried = 0;
  for await (const rows of readUnsentDeliveries(store, ['waiting', 'failed'], which)) {
    for (const { update_id } of rows) concerned.add(update_id);
    const ids = rows.map(({ id }) => id);
    retried += await store.transaction((tx) => retryPortion(tx, ids, now));
  }
  const files = (...states: SentUpdate['state'][]) =>
    updates.filter(({ id, state }) => concerned.has(id) && states.includes(state)).map(({ file }) => file);
  return { retried, reopened: files('sent'), leftOut: files(...NOT_SENDING), paused: files('paused') };
}

const NOT_SENDING: SentUpdate['state'][] = ['queueing', 'scheduled', ...OVER];

/** @returns how many are due again; leaves out those that begin at this moment */
async function retryPortion(tx: Transaction<Schema>, ids: string[], now: number): Promise<number> {
  const notSending = tx.selectFrom('updates').select('updates.id').where('updates.state', 'in', NOT_SENDING);
  const giveUpAt = toIso(now + GIVE_UP_AFTER_MS);
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set((delivery) => ({
      state: 'waiting',
      attempts: 0,
      due_at: toIso(now),
      // An update of a long list has longer.
      give_up_at: delivery
        .case()
        .when('give_up_at', '>', giveUpAt)
        .then(delivery.ref('give_up_at'))
        .else(giveUpAt)
        .end(),
      finished_at: null,
      refusal: null,
    }))
    .where('id', 'in', ids)
    .where('state', 'in', ['waiting', 'failed'])
    .where((where) => where.or([where('update_id', 'is', null), where('update_id', 'not in', notSending)]))
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('updates')
    .set({ state: 'sending', finished_at: null, resumed_at: toIso(now) })
    .where('state', '=', 'sent')
    .where(
      'id',
      'in',
      tx.selectFrom('deliveries').select('update_id').where('id', 'in', ids).$narrowType<{ update_id: NotNull }>(),
    )
    .execute();
  return Number(numUpdatedRows);
}
