import { sql } from 'kysely';
import { iso } from '../iso-time.ts';
import type { Store } from '../store/open-store.ts';
import type { ClaimedDelivery } from './claim.ts';
import { LEASE_MS } from './release-interrupted.ts';

/**
 * Begins the attempt to send a claimed delivery, when it may still go out: between its claim and its turn a person may
 * have unsubscribed or been erased, and an update may have been paused.
 * @param now milliseconds since 1970
 * @returns whether it may
 */
export async function beginAttempt(store: Store, delivery: ClaimedDelivery, now: number): Promise<boolean> {
  const lease = iso(now + LEASE_MS);
  const begun = await store.statement((db) =>
    db
      .updateTable('deliveries')
      .set((column) => ({ begun_at: iso(now), claimed_until: lease, attempts: column('attempts', '+', 1) }))
      .where('id', '=', delivery.id)
      .where('state', '=', 'waiting')
      .where('claimed_until', '=', delivery.claimed_until)
      .$if(delivery.update_id !== null, (query) =>
        query.where((where) =>
          where.exists(
            where
              .selectFrom('updates')
              .select(sql.lit(1).as('one'))
              .where('updates.id', '=', delivery.update_id)
              .where('updates.state', '=', 'sending'),
          ),
        ),
      )
      .returning('attempts')
      .executeTakeFirst(),
  );
  if (begun === undefined) return false;
  delivery.attempts = begun.attempts;
  delivery.claimed_until = lease;
  return true;
}

/** Gives claimed deliveries back whose attempts have not begun. */
export async function releaseUnbegun(store: Store, deliveries: ClaimedDelivery[]): Promise<void> {
  const ids = deliveries.map(({ id }) => id);
  if (ids.length === 0) return;
  await store.transaction(async (tx) => {
    const released = await tx
      .updateTable('deliveries')
      .set({ claimed_until: null })
      .where('id', 'in', ids)
      .where('begun_at', 'is', null)
      .where('claimed_until', '=', deliveries[0]?.claimed_until ?? null)
      .returning('id')
      .execute();
    if (released.length === 0) return;
    await tx
      .deleteFrom('mail_slots')
      .where(
        'delivery_id',
        'in',
        released.map(({ id }) => id),
      )
      .execute();
  });
}
