import type { Transaction } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import type { Fault, Schema, Subscriber } from '../database/schema.ts';
import { dropWaitingOf } from '../deliveries/queue/delivery-state.ts';

/*
 * Only this file sets the state "undeliverable".
 */

/** An email that didn't reach its subscriber because of the mailbox. */
export type Bounce = {
  deliveryId: string;
  subscriberId: string;
  /** When the email was sent or rejected, as an ISO time. */
  sentAt: string;
  fault: Exclude<Fault, 'sender'>;
  /** Shown to the owner; never with an address. */
  reason: string;
};

/**
 * Records a bounce, and marks the person as undeliverable if the rule says so: at once if the reply is about the
 * mailbox, after bounces on three different days if the mailbox is full, and at the second bounce, at least a day
 * later, if the rejection gave no reason. What happened before somebody (re)joined the list doesn't count.
 * @param now milliseconds since 1970
 * @returns whether the person was marked
 */
export async function applyBounce(tx: Transaction<Schema>, bounce: Bounce, now: number): Promise<boolean> {
  const { deliveryId, subscriberId, sentAt, fault, reason } = bounce;
  if (fault === 'mailbox') return markUndeliverable(tx, subscriberId, reason, now);
  await tx
    .insertInto('bounces')
    .values({ id: deliveryId, subscriber_id: subscriberId, fault, at: sentAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const isEnough = fault === 'full' ? await wasFullOnThreeDays(tx, bounce) : await wasRejectedBefore(tx, bounce);
  return isEnough && (await markUndeliverable(tx, subscriberId, describe(bounce), now));
}

const DAYS_FULL = 3;
const DAY_MS = 24 * 3600_000;

function describe({ fault, reason }: Bounce): string {
  return fault === 'full' ? `full or unreachable on ${DAYS_FULL} days: ${reason}` : `rejected twice: ${reason}`;
}

async function wasFullOnThreeDays(tx: Transaction<Schema>, bounce: Bounce): Promise<boolean> {
  const times = await selectBounces(tx, bounce).select('bounces.at').execute();
  return new Set(times.map(({ at }) => at.slice(0, 10))).size >= DAYS_FULL;
}

/**
 * Whether an email was also rejected at least a day earlier, and none has been accepted since: an accepted one shows
 * that the earlier rejection was due to a limit.
 */
async function wasRejectedBefore(tx: Transaction<Schema>, bounce: Bounce): Promise<boolean> {
  const earlier = await selectBounces(tx, bounce)
    .select('bounces.id')
    .where('bounces.at', '<=', toIso(Date.parse(bounce.sentAt) - DAY_MS))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('deliveries.id')
            .whereRef('deliveries.subscriber_id', '=', 'bounces.subscriber_id')
            .where('deliveries.state', '=', 'sent')
            .where('deliveries.kind', 'in', ['welcome', 'confirmation', 'update'])
            .whereRef('deliveries.finished_at', '>', 'bounces.at')
            .where('deliveries.id', 'not in', selectFrom('bounces as others').select('others.id')),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
}

/** The person's bounces with the same fault since they joined or were restored. */
function selectBounces(tx: Transaction<Schema>, { subscriberId, fault }: Bounce) {
  return tx
    .selectFrom('bounces')
    .innerJoin('subscribers', 'subscribers.id', 'bounces.subscriber_id')
    .where('bounces.subscriber_id', '=', subscriberId)
    .where('bounces.fault', '=', fault === 'full' ? 'full' : 'unclear')
    .whereRef('bounces.at', '>=', 'subscribers.state_changed_at');
}

/**
 * Marks a subscriber as undeliverable and drops the emails waiting for them. They can come back by signing up again, or
 * by `restore`. A person who hasn't confirmed yet stays pending, and is erased by retention if they never do.
 * @param reason shown to the owner, for example `550 5.1.1 no such user`; never with an address
 * @param now milliseconds since 1970
 * @returns false if there is no subscribed person with this id
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
 * Subscribes an undeliverable person again, when the owner knows that their mailbox works.
 * @param now milliseconds since 1970
 * @returns false if the person isn't undeliverable
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
