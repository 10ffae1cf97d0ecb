import { type QueryCreator, sql } from 'kysely';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, Schema } from '#store/schema.ts';
import type { ClaimedDelivery } from './claim.ts';
import { LEASE_MS } from './release-interrupted.ts';

/** What changes about a delivery when an attempt begins. */
export type Begun = Pick<Delivery, 'attempts' | 'claimed_until'>;

/**
 * Begins the attempt to send a claimed delivery, when it may still go out: between its claim and its turn a person may
 * have unsubscribed or been erased, and an update may have been paused. To begin it once more before it has gone out
 * asks the same again, and counts no second attempt.
 * @param now milliseconds since 1970
 * @returns undefined when it may not
 */
export async function beginAttempt(
  db: QueryCreator<Schema>,
  delivery: ClaimedDelivery,
  now: number,
): Promise<Begun | undefined> {
  return db
    .updateTable('deliveries')
    .set({
      begun_at: iso(now),
      claimed_until: iso(now + LEASE_MS),
      attempts: sql<number>`attempts + case when begun_at is null then 1 else 0 end`,
    })
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
    .returning(['attempts', 'claimed_until'])
    .executeTakeFirst();
}

/** Gives claimed deliveries back that have not gone out, with their places under the caps. */
export async function releaseUnsent(store: Store, deliveries: ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await store.transaction(async (tx) => {
    const released = await tx
      .updateTable('deliveries')
      .set({
        claimed_until: null,
        begun_at: null,
        attempts: sql<number>`attempts - case when begun_at is null then 0 else 1 end`,
      })
      .where('state', '=', 'waiting')
      .where(
        'id',
        'in',
        deliveries.map(({ id }) => id),
      )
      .where('claimed_until', 'in', [...new Set(deliveries.map(({ claimed_until }) => claimed_until))])
      .returning('id')
      .execute();
    if (released.length === 0) return;
    await tx
      .deleteFrom('sent_mails')
      .where(
        'delivery_id',
        'in',
        released.map(({ id }) => id),
      )
      .execute();
  });
}
