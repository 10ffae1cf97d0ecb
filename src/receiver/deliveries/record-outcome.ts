import { iso } from '../iso-time.ts';
import type { Store } from '../store/open-store.ts';
import type { Delivery } from '../store/schema.ts';
import type { DeliveryFailure } from './delivery-failure.ts';

/** What became of an attempt. */
export type Outcome = { state: 'sent' | 'failed' } | { state: 'waiting'; dueAt: number };

export async function recordSent(store: Store, delivery: Delivery, now: number): Promise<Outcome> {
  await store.transaction((tx) =>
    tx
      .updateTable('deliveries')
      .set({
        state: 'sent',
        attempts: delivery.attempts + 1,
        claimed_until: null,
        finished_at: iso(now),
        last_error: null,
      })
      .where('id', '=', delivery.id)
      .execute(),
  );
  return { state: 'sent' };
}

/**
 * Puts a delivery off, or gives it up: at once on a permanent refusal, else when its time is over.
 * @param random from 0 up to 1
 */
export async function recordFailure(
  store: Store,
  delivery: Delivery,
  failure: DeliveryFailure,
  now: number,
  random = Math.random(),
): Promise<Outcome> {
  const attempts = delivery.attempts + 1;
  const dueAt = now + pauseAfter(attempts, random);
  const isGivenUp = failure.isPermanent || dueAt > Date.parse(delivery.give_up_at);
  await store.transaction(async (tx) => {
    await tx
      .updateTable('deliveries')
      .set({
        attempts,
        claimed_until: null,
        last_error: failure.message,
        ...(isGivenUp ? { state: 'failed', finished_at: iso(now) } : { due_at: iso(dueAt) }),
      })
      .where('id', '=', delivery.id)
      .execute();
    // What did not go out takes nothing from the caps.
    await tx.deleteFrom('mail_slots').where('delivery_id', '=', delivery.id).execute();
  });
  return isGivenUp ? { state: 'failed' } : { state: 'waiting', dueAt };
}

/**
 * The pause after an attempt that failed: from 30 s it doubles up to 6 h, each up to a quarter shorter by chance, so
 * that deliveries which failed together do not come back together.
 * @param attempts how many were made
 * @param random from 0 up to 1
 * @returns milliseconds
 */
export function pauseAfter(attempts: number, random: number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LAST_PAUSE_MS);
  return Math.max(30_000, longest * (0.75 + random / 4));
}

const FIRST_PAUSE_MS = 40_000;
const LAST_PAUSE_MS = 6 * 3600_000;
