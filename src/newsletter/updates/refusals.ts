import type { Transaction } from 'kysely';
import { applyBounce } from '../bounces/bounce-rule.ts';
import { DELIVERY_KINDS } from '../deliveries/queue/delivery-kinds.ts';
import { toIso } from '../database/iso-time.ts';
import type { Delivery, Refusal, Schema, SentUpdate } from '../database/schema.ts';
import type { DeliveryFailure } from '../deliveries/smtp/delivery-failure.ts';
import { pauseWithAlert } from './update-state.ts';

/** A mail that failed because the mail server refused it. */
type RefusedMail = { delivery: Delivery; failure: DeliveryFailure; refusal: Refusal; at: number };

/**
 * Marks the person of a refused mail if their mailbox is the reason, and pauses an update if too many are refused.
 * @param update locked; undefined for other mails
 * @returns lines for the log
 */
export async function applyRefusal(
  tx: Transaction<Schema>,
  { delivery, failure, refusal, at }: RefusedMail,
  update: SentUpdate | undefined,
): Promise<string[]> {
  const { id, kind, subscriber_id } = delivery;
  if (refusal !== 'mail' && subscriber_id !== null && DELIVERY_KINDS[kind].recipient === 'subscriber') {
    // A full mailbox is tried for a week.
    const sentAt = refusal === 'full' ? (update?.send_at ?? delivery.queued_at) : toIso(at);
    const bounce = { deliveryId: id, subscriberId: subscriber_id, sentAt, cause: refusal };
    await applyBounce(tx, { ...bounce, reason: failure.message }, at);
  }
  const reason = update && (await findReasonToPause(tx, update, failure));
  if (update === undefined || reason === undefined) return [];
  // Other refusals may have paused the update already.
  const isPaused = await pauseWithAlert(tx, update, reason, at);
  return isPaused ? [`An update is paused: ${reason}`] : [];
}

/** With more refusals, mail servers would stop trusting the sender. */
const LAST_MAILS = 100;
const DEAD_TO_PAUSE = 20;
const REFUSED_TO_PAUSE = 6;

/** Looks at the mails that ended since the update began or was resumed: the owner knows the earlier ones. */
async function findReasonToPause(
  tx: Transaction<Schema>,
  { id, resumed_at, queued_at }: SentUpdate,
  { message }: DeliveryFailure,
): Promise<string | undefined> {
  const ended = await tx
    .selectFrom('deliveries')
    .select('refusal')
    .where('update_id', '=', id)
    .where('state', 'in', ['sent', 'failed'])
    .where('finished_at', '>=', resumed_at ?? queued_at)
    .orderBy('finished_at', 'desc')
    .limit(LAST_MAILS)
    .execute();
  const dead = ended.filter(({ refusal }) => refusal === 'mailbox').length;
  if (dead >= DEAD_TO_PAUSE) {
    return `${dead} of the last ${ended.length} mailboxes do not exist, so the list is old. These people are marked and get no more email. If you know that everybody on the list signed up, go on`;
  }
  const refused = ended.filter(({ refusal }) => refusal === 'mail' || refusal === 'unclear').length;
  return refused >= REFUSED_TO_PAUSE
    ? `${refused} of the last ${ended.length} emails were refused for good: ${message}`
    : undefined;
}
