import { iso } from '../iso-time.ts';
import type { Store } from '../store/open-store.ts';
import type { Delivery } from '../store/schema.ts';
import type { DeliveryFailure } from './delivery-failure.ts';

/** What became of an attempt. */
export type Outcome = {
  delivery: Delivery;
  /** When the attempt ended, in milliseconds since 1970. */
  at: number;
} & ({ state: 'sent' } | { state: 'failed'; reason: string } | { state: 'waiting'; reason: string; dueAt: number });

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
): Outcome {
  const dueAt = at + pauseAfter(delivery.attempts, random);
  const isGivenUp = failure.isPermanent || dueAt > Date.parse(delivery.give_up_at);
  const reason = failure.message;
  return isGivenUp ? { delivery, at, state: 'failed', reason } : { delivery, at, state: 'waiting', reason, dueAt };
}

/**
 * Writes outcomes to the store. One that could not be written is kept in memory: without it, a mail that the mail
 * server has accepted would go out again.
 */
export function outcomeRecorder(store: Store): OutcomeRecorder {
  let kept: Outcome[] = [];
  return {
    record: async (outcome) => {
      try {
        await write(store, outcome);
      } catch (error) {
        kept.push(outcome);
        throw error;
      }
    },
    recordKept: async () => {
      for (const outcome of kept) {
        await write(store, outcome);
        kept = kept.filter((other) => other !== outcome);
      }
    },
    countKept: () => kept.length,
  };
}

export type OutcomeRecorder = {
  /** @throws what the store throws; the outcome is then kept */
  record: (outcome: Outcome) => Promise<void>;
  /**
   * Writes what was kept. To be called before anything more is claimed.
   * @throws what the store throws; what is not written yet stays kept
   */
  recordKept: () => Promise<void>;
  countKept: () => number;
};

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

async function write(store: Store, outcome: Outcome): Promise<void> {
  const { id, claimed_until } = outcome.delivery;
  if (outcome.state === 'sent') {
    await store.statement((db) =>
      db
        .updateTable('deliveries')
        .set({ state: 'sent', claimed_until: null, begun_at: null, finished_at: iso(outcome.at), last_error: null })
        .where('id', '=', id)
        .execute(),
    );
    return;
  }
  await store.transaction(async (tx) => {
    const next =
      outcome.state === 'failed'
        ? ({ state: 'failed', finished_at: iso(outcome.at) } as const)
        : { due_at: iso(outcome.dueAt) };
    const written = await tx
      .updateTable('deliveries')
      .set({ ...next, claimed_until: null, begun_at: null, last_error: outcome.reason })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      // Written late, it says nothing of what another server has done with the delivery since.
      .where('claimed_until', '=', claimed_until)
      .returning('id')
      .executeTakeFirst();
    // What did not go out takes nothing from the caps.
    if (written) await tx.deleteFrom('mail_slots').where('delivery_id', '=', id).execute();
  });
}
