import { DELIVERY_KINDS } from '#store/delivery-kinds.ts';
import { failSent } from '#store/delivery-state.ts';
import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { NotificationSettings } from '#list/notifications.ts';
import { applyBounce } from '#list/bounce-rule.ts';
import { unsubscribe, unsubscribeMailbox } from '#list/unsubscribe.ts';
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
    const mailboxHash = readToken('unsubscribe', report.token, secret)?.mailboxHash;
    if (mailboxHash === undefined) return false;
    await unsubscribeMailbox(store, mailboxHash, 'email to the List-Unsubscribe address', env, now);
    return true;
  }
  const { deliveryId, kind, reason } = report;
  const delivery = await store.db
    .selectFrom('deliveries')
    .select(['kind', 'subscriber_id', 'finished_at'])
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  if (delivery === undefined) return false;
  if (DELIVERY_KINDS[delivery.kind].recipient === 'agency') {
    if (kind !== 'temporary') await store.transaction((tx) => failSent(tx, deliveryId, reason));
    return true;
  }
  const subscriberId = delivery.subscriber_id;
  if (subscriberId === null) return false;
  if (kind === 'complaint') await unsubscribe(store, subscriberId, reason, env, now);
  else if (kind !== 'refusal') {
    const bounce = { deliveryId, subscriberId, sentAt: delivery.finished_at ?? toIso(now), reason };
    const cause = kind === 'permanent' ? 'mailbox' : 'full';
    await store.transaction((tx) => applyBounce(tx, { ...bounce, cause }, now));
  }
  return true;
}
