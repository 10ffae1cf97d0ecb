import type { Transaction } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import type { Schema, Subscriber } from '../database/schema.ts';
import { dropWaitingOf } from '../deliveries/queue/delivery-state.ts';

/**
 * Marks a subscriber as undeliverable and drops the mails that wait for them. They come back by signing up again or by
 * `restore`. A person who has not confirmed yet stays pending: retention erases them if they never do.
 * @param reason shown to the owner, for example `550 5.1.1 no such user`; never with an address
 * @param now milliseconds since 1970
 * @returns false if nobody with this id is subscribed
 */
export async function markUndeliverable(
  tx: Transaction<Schema>,
  subscriberId: string,
  reason: string,
  now: number,
): Promise<boolean> {
  const isMarked = await change(tx, subscriberId, { from: 'subscribed', to: 'undeliverable', reason }, now);
  if (isMarked) await dropWaitingOf(tx, subscriberId, now);
  return isMarked;
}

/**
 * Brings an undeliverable person back, for an owner who knows that their mailbox works again.
 * @param now milliseconds since 1970
 * @returns false if the person is not undeliverable
 */
export async function restore(tx: Transaction<Schema>, subscriberId: string, now: number): Promise<boolean> {
  return change(tx, subscriberId, { from: 'undeliverable', to: 'subscribed', reason: null }, now);
}

async function change(
  tx: Transaction<Schema>,
  subscriberId: string,
  { from, to, reason }: { from: Subscriber['state']; to: Subscriber['state']; reason: string | null },
  now: number,
): Promise<boolean> {
  const changed = await tx
    .updateTable('subscribers')
    .set({ state: to, undeliverable_reason: reason, state_changed_at: toIso(now) })
    .where('id', '=', subscriberId)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
