import type { Transaction } from 'kysely';
import { DELIVERY_KINDS } from '#store/delivery-kinds.ts';
import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema } from '#store/schema.ts';
import type { NotificationSettings } from '#list/notifications.ts';
import { markUndeliverable } from '#list/undeliverable.ts';
import { unsubscribe } from '#list/unsubscribe.ts';
import { readToken } from '#list/tokens.ts';
import type { Report } from './read-report.ts';

/**
 * Does what a report asks for. A person who cannot be reached becomes undeliverable, and one who complains is
 * unsubscribed. A report about a mail to the owner concerns nobody on the list: that delivery has failed.
 * @param options.now milliseconds since 1970
 * @returns whether the report was about a delivery of ours
 */
export async function applyReport(
  store: Store,
  report: Report,
  options: { secret: string; env: NotificationSettings; now: number },
): Promise<boolean> {
  const { secret, env, now } = options;
  if (report.kind === 'unsubscribe') {
    const subscriberId = readToken('unsubscribe', report.token, secret)?.subscriberId;
    if (subscriberId === undefined) return false;
    await unsubscribe(store, subscriberId, 'email to the List-Unsubscribe address', env, now);
    return true;
  }
  const { deliveryId, kind, reason } = report;
  const delivery = await store.db
    .selectFrom('deliveries')
    .select(['kind', 'subscriber_id'])
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  if (delivery === undefined) return false;
  if (DELIVERY_KINDS[delivery.kind].recipient === 'agency') {
    if (kind !== 'temporary') await failDelivery(store, deliveryId, reason);
    return true;
  }
  const subscriberId = delivery.subscriber_id;
  if (subscriberId === null) return false;
  if (kind === 'complaint') await unsubscribe(store, subscriberId, reason, env, now);
  else if (kind !== 'refusal') {
    await store.transaction(async (tx) => {
      if (kind === 'permanent') await markUndeliverable(tx, subscriberId, reason, now);
      else if (await isThird(tx, subscriberId, deliveryId, now)) {
        await markUndeliverable(
          tx,
          subscriberId,
          `${MAX_TEMPORARY} emails within 30 days were delayed: ${reason}`,
          now,
        );
      }
    });
  }
  return true;
}

async function failDelivery(store: Store, id: string, reason: string): Promise<void> {
  await store.transaction((tx) =>
    tx
      .updateTable('deliveries')
      .set({ state: 'failed', last_error: `reported after it was sent: ${reason}` })
      .where('id', '=', id)
      .where('state', '=', 'sent')
      .execute(),
  );
}

/** Mailboxes are full and servers are down for a while; after three mails in a month nobody reads them. */
const MAX_TEMPORARY = 3;
const WINDOW_MS = 30 * 24 * 3600_000;

/** Counts a mail that was reported as delayed, once. @returns whether it is the third of this person */
async function isThird(
  tx: Transaction<Schema>,
  subscriberId: string,
  deliveryId: string,
  now: number,
): Promise<boolean> {
  await tx
    .insertInto('bounces')
    .values({ id: deliveryId, subscriber_id: subscriberId, at: toIso(now) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const { count } = await tx
    .selectFrom('bounces')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('subscriber_id', '=', subscriberId)
    .where('at', '>', toIso(now - WINDOW_MS))
    .executeTakeFirstOrThrow();
  return count >= MAX_TEMPORARY;
}
