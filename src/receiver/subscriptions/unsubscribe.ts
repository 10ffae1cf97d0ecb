import { randomUUIDv7 } from 'node:crypto';
import { kindsWith } from '../deliveries/kinds.ts';
import { iso } from '../iso-time.ts';
import type { Store } from '../store/open-store.ts';
import { currentId } from './current-id.ts';

/**
 * Withdraws a consent. Done twice it is the same as done once.
 * @param how recorded as evidence, such as `unsubscribe link`
 * @param now milliseconds since 1970
 * @returns whether anything changed
 */
export async function unsubscribe(store: Store, subscriberId: string, how: string, now: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    const id = await currentId(tx, subscriberId);
    const withdrawn = await tx
      .updateTable('subscribers')
      .set({
        state: 'unsubscribed',
        undeliverable_reason: null,
        state_changed_at: iso(now),
        engaged_at: iso(now),
      })
      .where('id', '=', id)
      .where('state', '!=', 'unsubscribed')
      .returning('id')
      .executeTakeFirst();
    if (withdrawn === undefined) return false;
    await tx
      .insertInto('consent_records')
      .values({
        id: randomUUIDv7(),
        subscriber_id: id,
        event: 'withdrawn',
        wording_version: null,
        form: null,
        source: how,
        at: iso(now),
        address_hash: null,
      })
      .execute();
    await tx
      .updateTable('deliveries')
      .set({ state: 'dropped', finished_at: iso(now) })
      .where('subscriber_id', '=', id)
      .where(
        'kind',
        'in',
        kindsWith(({ onUnsubscribe }) => onUnsubscribe === 'drop'),
      )
      .where('state', '=', 'waiting')
      .execute();
    return true;
  });
}
