import type { Transaction } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import type { Schema } from '../database/schema.ts';
import { markUndeliverable } from '../subscribers/undeliverable.ts';

/** A mail that didn't reach its subscriber, because of the mailbox. */
export type Bounce = {
  deliveryId: string;
  subscriberId: string;
  /** When the mail was sent, or refused, as an ISO time. */
  sentAt: string;
  /**
   * `mailbox`: a code or words say that nobody reads the mailbox, or that it doesn't exist.
   * `full`: it has no room.
   * `unclear`: the recipient was refused without a reason.
   */
  cause: 'mailbox' | 'full' | 'unclear';
  /** Shown to the owner; never with an address. */
  reason: string;
};

/**
 * Records a bounce, and marks the person as undeliverable when the rule says so: at once if the reply names the
 * mailbox, after mails on three days if it is full, and at the second mail, at least a day later, if the refusal gave
 * no reason. What happened before somebody (re)joined the list doesn't count.
 * @param now milliseconds since 1970
 * @returns whether the person was marked
 */
export async function applyBounce(tx: Transaction<Schema>, bounce: Bounce, now: number): Promise<boolean> {
  const { deliveryId, subscriberId, sentAt, cause, reason } = bounce;
  if (cause === 'mailbox') return markUndeliverable(tx, subscriberId, reason, now);
  await tx
    .insertInto('bounces')
    .values({ id: deliveryId, subscriber_id: subscriberId, cause, at: sentAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const isEnough = cause === 'full' ? await wasFullOnThreeDays(tx, bounce) : await wasRefusedBefore(tx, bounce);
  return isEnough && (await markUndeliverable(tx, subscriberId, describe(bounce), now));
}

const DAYS_FULL = 3;
const DAY_MS = 24 * 3600_000;

function describe({ cause, reason }: Bounce): string {
  return cause === 'full' ? `full on ${DAYS_FULL} days: ${reason}` : `refused twice: ${reason}`;
}

async function wasFullOnThreeDays(tx: Transaction<Schema>, bounce: Bounce): Promise<boolean> {
  const times = await selectBounces(tx, bounce).select('bounces.at').execute();
  return new Set(times.map(({ at }) => at.slice(0, 10))).size >= DAYS_FULL;
}

/** A mail accepted since then shows that the earlier refusal was a limit. */
async function wasRefusedBefore(tx: Transaction<Schema>, bounce: Bounce): Promise<boolean> {
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

/** The person's bounces of the same cause since they joined or were put back. */
function selectBounces(tx: Transaction<Schema>, { subscriberId, cause }: Bounce) {
  return tx
    .selectFrom('bounces')
    .innerJoin('subscribers', 'subscribers.id', 'bounces.subscriber_id')
    .where('bounces.subscriber_id', '=', subscriberId)
    .where('bounces.cause', '=', cause === 'full' ? 'full' : 'unclear')
    .whereRef('bounces.at', '>=', 'subscribers.state_changed_at');
}
