import { toIso } from '../../database/iso-time.ts';
import type { Store } from '../../database/open-store.ts';
import type { Delivery } from '../../database/schema.ts';
import { DeliveryFailure } from '../delivery-failure.ts';
import { recordOutcome } from './record-outcome.ts';

/** How long a lease lasts unless it is renewed, in milliseconds. */
export const LEASE_MS = 2 * 60_000;

/** In milliseconds: short enough that one renewal may fail. */
export const RENEW_EVERY_MS = 30_000;

/** Extends the lease of a delivery that is still being sent. */
export async function renewLease(store: Store, { id, attempts }: Delivery, now: number): Promise<void> {
  await store.transaction((tx) =>
    tx
      .updateTable('deliveries')
      .set({ lease_until: toIso(now + LEASE_MS) })
      .where('id', '=', id)
      .where('state', '=', 'sending')
      .where('attempts', '=', attempts)
      .execute(),
  );
}

/**
 * Marks the attempts of dead servers as interrupted: their emails may have been accepted.
 * @param which only `expired` leases, or `all` if no other server can be running
 */
export async function releaseInterrupted(
  store: Store,
  which: 'expired' | 'all',
  now: number,
  log: (line: string) => void,
): Promise<void> {
  const deliveries = await store.db
    .selectFrom('deliveries')
    .selectAll()
    .where('state', '=', 'sending')
    .$if(which === 'expired', (query) => query.where('lease_until', '<', toIso(now)))
    .execute();
  for (const delivery of deliveries) {
    const outcome = { delivery, at: now, failure: SERVER_ENDED, leaseUntil: delivery.lease_until };
    for (const line of await recordOutcome(store, outcome)) log(line);
  }
}

const SERVER_ENDED = new DeliveryFailure('the server stopped while it was sending this', { kind: 'unanswered' });
