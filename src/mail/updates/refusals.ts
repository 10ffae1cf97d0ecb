import type { Transaction } from 'kysely';
import { markUndeliverable, restore } from '#list/undeliverable.ts';
import type { Delivery, Schema, SentUpdate } from '#store/schema.ts';
import type { DeliveryFailure } from '../queue/delivery-failure.ts';
import type { Consequence } from '../queue/consequence.ts';
import { pauseWithAlert } from './update-states.ts';

/**
 * Marks a person as undeliverable if their mailbox was refused. Many refusals pause an update: then mail servers refuse
 * the sender or the message, so the marks are taken back.
 * @param update locked; undefined for other mails
 * @returns lines for the log
 */
export async function applyRefusal(
  tx: Transaction<Schema>,
  { delivery, failure, at }: { delivery: Delivery; failure: DeliveryFailure; at: number },
  consequence: Consequence,
  update: SentUpdate | undefined,
): Promise<string[]> {
  if (consequence.marksPerson && delivery.subscriber_id) {
    await markUndeliverable(tx, delivery.subscriber_id, failure.message, at);
  }
  const count = update && (await countRefused(tx, update));
  if (update === undefined || count === undefined) return [];
  const restored = await takeBackMarks(tx, update, at);
  const reason = `${count}: ${failure.message}`;
  // A refusal may also come when the others have paused the update already.
  const isPaused = await pauseWithAlert(tx, update, reason, at, restored);
  return isPaused ? [`An update is paused: ${reason}`] : [];
}

/** A list that is refused by more than 5% would cost the sender the trust of mail servers. */
const LAST_MAILS = 100;
const REFUSED_TO_PAUSE = 6;
const IN_A_ROW_TO_PAUSE = 5;

/** @returns what was refused, when that is too much */
async function countRefused(tx: Transaction<Schema>, update: SentUpdate): Promise<string | undefined> {
  const ended = await selectEndedSinceResume(tx, update)
    .select('refusal')
    .orderBy('finished_at', 'desc')
    .limit(LAST_MAILS)
    .execute();
  const refused = ended.filter(({ refusal }) => refusal !== null).length;
  if (refused >= REFUSED_TO_PAUSE) return `${refused} of the last ${ended.length} emails were refused for good`;
  const last = ended.slice(0, IN_A_ROW_TO_PAUSE);
  const isInARow = last.length === IN_A_ROW_TO_PAUSE && last.every(({ refusal }) => refusal !== null);
  return isInARow ? `the last ${IN_A_ROW_TO_PAUSE} emails were refused for good` : undefined;
}

/** The mails that ended since the update began or was resumed: the owner has seen what was before. */
function selectEndedSinceResume(tx: Transaction<Schema>, { id, resumed_at, queued_at }: SentUpdate) {
  return tx
    .selectFrom('deliveries')
    .where('deliveries.update_id', '=', id)
    .where('deliveries.state', 'in', ['sent', 'failed'])
    .where('deliveries.finished_at', '>=', resumed_at ?? queued_at);
}

/** @returns how many people are subscribed again */
async function takeBackMarks(tx: Transaction<Schema>, update: SentUpdate, at: number): Promise<number> {
  const marked = await selectEndedSinceResume(tx, update)
    .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber_id')
    .select('subscribers.id')
    .where('deliveries.refusal', '=', 'mailbox')
    .where('subscribers.state', '=', 'undeliverable')
    .execute();
  for (const { id } of marked) await restore(tx, id, at);
  return marked.length;
}
