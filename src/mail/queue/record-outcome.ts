import type { Transaction } from 'kysely';
import { iso } from '#store/iso-time.ts';
import type { Delivery, Schema } from '#store/schema.ts';
import type { DeliveryFailure } from './delivery-failure.ts';

/** What became of an attempt. */
export type Outcome = {
  delivery: Delivery;
  /** When the attempt ended, in milliseconds since 1970. */
  at: number;
} & (
  | { state: 'sent' }
  | { state: 'failed'; failure: DeliveryFailure }
  | { state: 'waiting'; failure: DeliveryFailure; dueAt: number }
);

/**
 * A failed attempt puts a delivery off, or gives it up: at once on a permanent refusal, else when its time is over.
 * @param at when it failed, in milliseconds since 1970
 * @param random from 0 up to 1
 */
export function failureOutcome(
  delivery: Delivery,
  failure: DeliveryFailure,
  at: number,
  random = Math.random(),
): Exclude<Outcome, { state: 'sent' }> {
  const dueAt = at + pauseAfter(delivery.attempts, random);
  const isGivenUp = failure.isPermanent || dueAt > Date.parse(delivery.give_up_at);
  return isGivenUp ? { delivery, at, state: 'failed', failure } : { delivery, at, state: 'waiting', failure, dueAt };
}

/** Writes what became of an attempt. A failure says nothing of a delivery that another server has taken since. */
export async function writeOutcome(tx: Transaction<Schema>, outcome: Outcome): Promise<void> {
  if (outcome.state === 'sent') {
    await tx
      .updateTable('deliveries')
      .set({ ...ENDED, state: 'sent', finished_at: iso(outcome.at), last_error: null })
      .where('id', '=', outcome.delivery.id)
      .execute();
    return;
  }
  const { id, claimed_until } = outcome.delivery;
  const next =
    outcome.state === 'failed'
      ? ({ state: 'failed', finished_at: iso(outcome.at) } as const)
      : { due_at: iso(outcome.dueAt) };
  const written = await tx
    .updateTable('deliveries')
    .set({ ...ENDED, ...next, last_error: outcome.failure.message })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('claimed_until', '=', claimed_until)
    .returning('id')
    .executeTakeFirst();
  // What did not go out takes nothing from the caps.
  if (written) await tx.deleteFrom('sent_mails').where('delivery_id', '=', id).execute();
}

const ENDED = { claimed_until: null, begun_at: null };

/**
 * The pause after an attempt that failed: from 40 s it doubles up to 6 h, each up to a quarter shorter by chance, so
 * that deliveries which failed together do not come back together.
 * @param attempts how many were made
 * @param random from 0 up to 1
 * @returns milliseconds
 */
export function pauseAfter(attempts: number, random: number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LAST_PAUSE_MS);
  return longest * (0.75 + random / 4);
}

const FIRST_PAUSE_MS = 40_000;
const LAST_PAUSE_MS = 6 * 3600_000;
