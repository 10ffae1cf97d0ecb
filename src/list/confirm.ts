import { randomUUIDv7 } from 'node:crypto';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { iso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import { announcements, type FollowUps } from './subscribe.ts';

/**
 * A pending person confirms: subscribed from now on, and the sheet and the agency hear of it.
 * The confirmation mail was their one mail of the day, so no second one follows.
 * @param now milliseconds since 1970
 * @returns false when there is nothing to confirm: they were erased, or have unsubscribed since
 */
export async function confirm(store: Store, subscriberId: string, followUps: FollowUps, now: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    const confirmed = await tx
      .updateTable('subscribers')
      .set({ state: 'subscribed', state_changed_at: iso(now), engaged_at: iso(now) })
      .where('id', '=', subscriberId)
      .where('state', '=', 'pending')
      .returningAll()
      .executeTakeFirst();
    if (confirmed === undefined) {
      const known = await tx
        .selectFrom('subscribers')
        .select('state')
        .where('id', '=', subscriberId)
        .executeTakeFirst();
      return known?.state === 'subscribed';
    }
    const given = await tx
      .selectFrom('consent_records')
      .select(['wording_version', 'form', 'source'])
      .where('subscriber_id', '=', subscriberId)
      .where('event', '=', 'given')
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    const source = given?.source ?? confirmed.first_source;
    await tx
      .insertInto('consent_records')
      .values({
        id: randomUUIDv7(),
        subscriber_id: subscriberId,
        event: 'confirmed',
        wording_version: given?.wording_version ?? null,
        form: given?.form ?? null,
        evidence: null,
        source,
        at: iso(now),
        address_hash: null,
      })
      .execute();
    const queued = announcements(
      subscriberId,
      { email: confirmed.address, ...optionalFields((name) => confirmed[name]), source },
      followUps,
      now,
    );
    if (queued.length > 0) await tx.insertInto('deliveries').values(queued).execute();
    return true;
  });
}
