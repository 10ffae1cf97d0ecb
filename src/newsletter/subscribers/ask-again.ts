import { createDelivery } from '../deliveries/new-delivery.ts';
import { dropWaitingOf } from '../deliveries/state.ts';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Subscriber } from '../database/schema.ts';
import { lockPeople } from './erase.ts';

/** Long enough to stop a program that fills in the form again and again; a person looks for the first mail. */
const ASK_AGAIN_AFTER_MS = 10 * 60_000;

/**
 * Whether another sign-up sends the confirmation again. However often it does, a mailbox gets three a day
 * (claim-delivery.ts).
 * @param now milliseconds since 1970
 */
export function mayAskAgain({ confirmation_queued_at: askedAt }: Subscriber, now: number): boolean {
  return askedAt === null || now - Date.parse(askedAt) >= ASK_AGAIN_AFTER_MS;
}

/** Whether somebody asked to join, and has neither confirmed nor left since. */
export function awaitsConfirmation({ state, confirmation_queued_at: askedAt }: Subscriber): boolean {
  return askedAt !== null && (state === 'pending' || state === 'unsubscribed');
}

/**
 * Sends the confirmation again to somebody who told the owner that it didn't arrive.
 * @param now milliseconds since 1970
 * @returns false if they have confirmed or left meanwhile
 */
export async function sendConfirmationAgain(store: Store, id: string, now: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    const person = await lockPeople(tx).where('id', '=', id).executeTakeFirst();
    if (person === undefined || !awaitsConfirmation(person)) return false;
    await dropWaitingOf(tx, id, now);
    await tx
      .insertInto('deliveries')
      .values(createDelivery('confirmation', id, { queuedAt: toIso(now), byOwner: true }, now))
      .execute();
    return true;
  });
}
