import type { Transaction } from 'kysely';
import {
  createDelivery,
  type DeliveryDetails,
  MAIL_PAUSE_MS,
  MAX_ASKED_FOR,
} from '../deliveries/queue/new-delivery.ts';
import { dropWaitingOf } from '../deliveries/queue/delivery-state.ts';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema, Subscriber } from '../database/schema.ts';
import { lockPeople } from '../database/lock-rows.ts';

/** Long enough to stop a program that submits the form over and over. A person will look for the first email first. */
const ASK_AGAIN_AFTER_MS = 10 * 60_000;

/**
 * Whether another sign-up sends the confirmation again, or another welcome email to an undeliverable mailbox: after ten
 * minutes, and at most three times a day and six times in thirty days, since a stranger may be asking. Those that the
 * owner sent don't count.
 * @param person whose row is locked
 * @param now milliseconds since 1970
 */
export async function mayAskAgain(
  tx: Transaction<Schema>,
  { id, confirmation_queued_at: askedAt }: Pick<Subscriber, 'id' | 'confirmation_queued_at'>,
  now: number,
): Promise<boolean> {
  const asked = await tx
    .selectFrom('deliveries')
    .select(['details', 'queued_at'])
    .where('subscriber_id', '=', id)
    .where('kind', 'in', ['confirmation', 'welcome'])
    .where('state', '<>', 'dropped')
    .where('queued_at', '>', toIso(now - MONTH_MS))
    .execute();
  const isCounted = ({ details }: { details: string }) =>
    !(JSON.parse(details) as DeliveryDetails['confirmation']).byOwner;
  const wasSentByOwner = asked.some((each) => each.queued_at === askedAt && !isCounted(each));
  if (askedAt !== null && Date.parse(askedAt) > now - ASK_AGAIN_AFTER_MS && !wasSentByOwner) return false;
  const counted = asked.filter(isCounted);
  const today = counted.filter(({ queued_at: at }) => at > toIso(now - MAIL_PAUSE_MS));
  return today.length < MAX_ASKED_FOR && counted.length < MAX_IN_A_MONTH;
}

/** Pending people are erased after the same period. */
const MONTH_MS = 30 * 24 * 3600_000;
const MAX_IN_A_MONTH = 6;

/** Whether somebody has asked to join, and has neither confirmed nor unsubscribed since. */
export function awaitsConfirmation({ state, confirmation_queued_at: askedAt }: Subscriber): boolean {
  return askedAt !== null && (state === 'pending' || state === 'unsubscribed');
}

/**
 * Sends the confirmation again to somebody who told the owner that it didn't arrive.
 * @param now milliseconds since 1970
 * @returns false if they have confirmed or unsubscribed in the meantime
 */
export async function sendConfirmationAgain(store: Store, id: string, now: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    const person = await lockPeople(tx).where('id', '=', id).executeTakeFirst();
    if (person === undefined || !awaitsConfirmation(person)) return false;
    await dropWaitingOf(tx, id, now);
    const queuedAt = toIso(now);
    await tx.updateTable('subscribers').set({ confirmation_queued_at: queuedAt }).where('id', '=', id).execute();
    await tx
      .insertInto('deliveries')
      .values(createDelivery('confirmation', id, { queuedAt, byOwner: true }, now))
      .execute();
    return true;
  });
}
