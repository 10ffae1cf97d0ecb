import { iso } from '../deliveries/queue.ts';
import type { Store } from '../store/open-store.ts';

/**
 * Marks a person whom mail cannot reach: a mail server has refused the address for good, or reported so later.
 * Mails that wait for them are dropped. They come back by signing up again or by `restore`.
 * @param reason shown to the owner, such as `550 5.1.1 no such user`; never with an address
 * @param now milliseconds since 1970
 * @returns false when nobody of this id gets mail
 */
export async function markUndeliverable(
  store: Store,
  subscriberId: string,
  reason: string,
  now: number,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const marked = await tx
      .updateTable('subscribers')
      .set({ state: 'undeliverable', undeliverable_reason: reason, state_changed_at: iso(now) })
      .where('id', '=', subscriberId)
      .where('state', 'in', ['subscribed', 'pending'])
      .returning('id')
      .executeTakeFirst();
    if (marked === undefined) return false;
    await dropWaitingMails(tx, subscriberId, now);
    return true;
  });
}

/**
 * Brings an undeliverable person back, for an owner who knows that the address works again.
 * Who never confirmed is asked for nothing: they count as pending, as before.
 * @param now milliseconds since 1970
 * @returns false when the person is not undeliverable
 */
export async function restore(store: Store, subscriberId: string, now: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    const restored = await tx
      .updateTable('subscribers')
      .set({ state: 'subscribed', undeliverable_reason: null, state_changed_at: iso(now) })
      .where('id', '=', subscriberId)
      .where('state', '=', 'undeliverable')
      .returning('id')
      .executeTakeFirst();
    return restored !== undefined;
  });
}
