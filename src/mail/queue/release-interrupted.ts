import type { Store } from '#store/open-store.ts';
import type { Delivery } from '#store/schema.ts';
import { iso } from '#store/iso-time.ts';
import { DELIVERY_KINDS } from '#store/delivery-kinds.ts';
import { pauseAfter } from './record-outcome.ts';

/** Longer than any attempt may take, in milliseconds: who holds a claim for longer has ended. */
export const LEASE_MS = 5 * 60_000;

/**
 * Releases the claims of servers that have ended. Where that was in the middle of an attempt, nobody knows whether the
 * mail was accepted:
 * it goes out again at once, a second time after a pause, and after a third interruption it is failed, so that a server
 * that keeps crashing does not keep mailing one person. The sheet knows a message by its id, and gets it until it
 * answers.
 * @param whose `expired` leases alone, or `all` where no other server can be at work
 */
export async function releaseInterrupted(store: Store, whose: 'expired' | 'all', now: number): Promise<void> {
  await store.transaction(async (tx) => {
    const claimed = tx
      .selectFrom('deliveries')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('claimed_until', 'is not', null)
      .$if(whose === 'expired', (query) =>
        query.where((where) =>
          // A lease that ends later than one given now was given under a wrong clock.
          where.or([where('claimed_until', '<', iso(now)), where('claimed_until', '>', iso(now + 2 * LEASE_MS))]),
        ),
      );
    const locked = store.kind === 'postgres' ? claimed.forUpdate().skipLocked() : claimed;
    const deliveries = await locked.execute();
    for (const delivery of deliveries) {
      await tx
        .updateTable('deliveries')
        .set({ claimed_until: null, begun_at: null, ...(delivery.begun_at && afterInterruption(delivery, now)) })
        .where('id', '=', delivery.id)
        .execute();
    }
    // What certainly did not go out takes nothing from the caps.
    const unbegun = deliveries.filter(({ begun_at }) => begun_at === null).map(({ id }) => id);
    if (unbegun.length > 0) await tx.deleteFrom('sent_mails').where('delivery_id', 'in', unbegun).execute();
  });
}

const MAX_INTERRUPTIONS = 3;

function afterInterruption(delivery: Delivery, now: number): Partial<Delivery> {
  const interruptions = delivery.interruptions + 1;
  if (DELIVERY_KINDS[delivery.kind].worker === 'sheet' || interruptions === 1) return { interruptions };
  if (interruptions < MAX_INTERRUPTIONS) {
    return { interruptions, due_at: iso(now + pauseAfter(delivery.attempts, Math.random())) };
  }
  return {
    interruptions,
    state: 'failed',
    finished_at: iso(now),
    last_error: `the server ended ${interruptions} times while it was sending this`,
  };
}
