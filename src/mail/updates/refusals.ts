import type { Transaction } from 'kysely';
import { markUndeliverable, restore } from '#list/undeliverable.ts';
import { DELIVERY_KINDS } from '#store/delivery-kinds.ts';
import type { Delivery, Schema, SentUpdate } from '#store/schema.ts';
import type { DeliveryFailure } from '../queue/delivery-failure.ts';
import type { Consequence } from '../queue/failure-table.ts';
import { pauseWithAlert } from './update-states.ts';

/**
 * Marks the person whose mailbox was refused, and pauses an update of which many mails are: then it is the sender or the
 * message that mail servers refuse, so the marks are taken back.
 * @param refused.update locked; undefined for other mails
 * @returns lines for the log
 */
export async function applyRefusal(
  tx: Transaction<Schema>,
  refused: {
    delivery: Delivery;
    failure: DeliveryFailure;
    at: number;
    consequence: Consequence;
    update: SentUpdate | undefined;
  },
): Promise<string[]> {
  const { delivery, failure, at, consequence, update } = refused;
  // A mail that was on its way while its update was paused says nothing of its reader.
  if (update && update.state !== 'sending') {
    await forgetUnlessCause(tx, delivery, update);
    return [];
  }
  const mayMark = consequence.person !== 'unchanged' && DELIVERY_KINDS[delivery.kind].worker === 'mail';
  if (mayMark && failure.isOfMailbox && delivery.subscriber_id) {
    await markUndeliverable(tx, delivery.subscriber_id, failure.message, at);
  }
  if (update === undefined || consequence.update === 'unchanged') return [];
  const count = await countRefused(tx, update);
  if (count === undefined) return [];
  const restored = await takeBackMarks(tx, update, at);
  const reason = `${count}: ${failure.message}`;
  await pauseWithAlert(tx, update, reason, at, restored);
  return [`An update is paused: ${reason}`];
}

/** Status lists who was refused by what paused the update; those who were refused after the owner's own pause are not. */
async function forgetUnlessCause(tx: Transaction<Schema>, { id }: Delivery, update: SentUpdate): Promise<void> {
  if ((await countRefused(tx, update)) !== undefined) return;
  await tx.updateTable('deliveries').set({ refusal: 'mail' }).where('id', '=', id).execute();
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
  if (refused >= REFUSED_TO_PAUSE) return `${refused} of the last ${ended.length} mails were refused for good`;
  const last = ended.slice(0, IN_A_ROW_TO_PAUSE);
  const isInARow = last.length === IN_A_ROW_TO_PAUSE && last.every(({ refusal }) => refusal !== null);
  return isInARow ? `the last ${IN_A_ROW_TO_PAUSE} mails were refused for good` : undefined;
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
