import { iso } from '../iso-time.ts';
import type { Store } from '../store/open-store.ts';
import { dropWaitingMails } from './unsubscribe.ts';

/**
 * Marks a subscriber as undeliverable: a mail server has refused the address for good, or reported so later.
 * Mails that wait for them are dropped. They come back by signing up again or by `restore`.
 * Who has not confirmed yet stays pending: retention erases them if they never do.
 * @param reason shown to the owner, such as `550 5.1.1 no such user`; never with an address
 * @param now milliseconds since 1970
 * @returns false when nobody of this id is subscribed
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
      .where('state', '=', 'subscribed')
      .returning('id')
      .executeTakeFirst();
    if (marked === undefined) return false;
    await dropWaitingMails(tx, subscriberId, now);
    return true;
  });
}

/**
 * Brings an undeliverable person back, for an owner who knows that the address works again.
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
