import { sql } from 'kysely';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import { GIVE_UP_AFTER_MS } from '#store/new-delivery.ts';

/**
 * Undoes what was written while the clock stood in the future, so that it holds nothing up once the clock is right.
 * @param now milliseconds since 1970
 */
export async function undoFutureTimes(store: Store, now: number): Promise<void> {
  const future = latestCredible(now);
  await store.transaction(async (tx) => {
    await tx.deleteFrom('sent_mails').where('taken_at', '>', future).execute();
    const waiting = () => tx.updateTable('deliveries').where('state', '=', 'waiting');
    await waiting()
      .set({ queued_at: iso(now), due_at: iso(now), give_up_at: iso(now + GIVE_UP_AFTER_MS) })
      .where('queued_at', '>', future)
      .execute();
    // Nothing is put off past its end by a clock that is right.
    await waiting()
      .set({ due_at: iso(now) })
      .where('due_at', '>', sql.ref<string>('give_up_at'))
      .execute();
  });
}

/** Times after this were written under a wrong clock; servers that share a database may differ by a minute. */
export function latestCredible(now: number): string {
  return iso(now + 60_000);
}
