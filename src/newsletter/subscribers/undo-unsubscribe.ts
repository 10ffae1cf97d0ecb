import { randomUUIDv7 } from 'node:crypto';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { ConsentRecord, Subscriber } from '../database/schema.ts';
import { lockPeople } from '../database/lock-rows.ts';

/** How an unsubscription by the owner is recorded. */
export const FROM_DESK = 'desk';

/**
 * Whether the owner may undo unsubscribing somebody by mistake: within an hour, unless the person has also
 * unsubscribed.
 * @param now milliseconds since 1970
 */
export function isUndoable(
  { state, consents }: Pick<Subscriber, 'state'> & { consents: Pick<ConsentRecord, 'event' | 'source' | 'at'>[] },
  now: number,
): boolean {
  const last = consents.at(-1);
  const isOwners = last?.event === 'withdrawn' && last.source === FROM_DESK;
  return state === 'unsubscribed' && isOwners && now - Date.parse(last.at) < HOUR_MS;
}

/**
 * Subscribes a person again whom the owner unsubscribed by mistake. The consent that they had given is recorded again,
 * with its source.
 * @param now milliseconds since 1970
 * @returns false if it can no longer be undone
 */
export async function undoUnsubscribe(store: Store, id: string, now: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    const person = await lockPeople(tx).where('id', '=', id).executeTakeFirst();
    const records = tx.selectFrom('consent_records').selectAll().where('subscriber_id', '=', id);
    const consents = await records.orderBy('at').orderBy('id').execute();
    const given = consents.findLast(({ event }) => event === 'given');
    if (person === undefined || given === undefined || !isUndoable({ ...person, consents }, now)) return false;
    await tx
      .updateTable('subscribers')
      .set({ state: 'subscribed', state_changed_at: toIso(now) })
      .where('id', '=', id)
      .execute();
    const source = 'unsubscribed on the desk by mistake, and undone within the hour';
    await tx
      .insertInto('consent_records')
      .values({ ...given, id: randomUUIDv7(), source, at: toIso(now) })
      .execute();
    return true;
  });
}

const HOUR_MS = 3600_000;
