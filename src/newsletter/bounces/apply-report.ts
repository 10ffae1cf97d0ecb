import { applyBounce } from './undeliverable.ts';
import type { NotificationSettings } from '../subscribers/notifications.ts';
import { dropNewAddress } from '../subscribers/drop-new-address.ts';
import { readToken } from '../subscribers/tokens.ts';
import { unsubscribe, unsubscribeMailbox } from '../subscribers/unsubscribe.ts';
import { DELIVERY_KINDS } from '../deliveries/queue/delivery-kinds.ts';
import { failSent } from '../deliveries/queue/delivery-state.ts';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Delivery } from '../database/schema.ts';
import { pauseIfRejected } from '../updates/pause-rule.ts';
import { lockUpdate } from '../updates/update-state.ts';
import type { BounceReport, ReturnedMail } from './read-report.ts';
import { keepUnmatched } from './unmatched-reports.ts';

/** @property at when the report was written, in milliseconds since 1970; by default now */
type Options = { secret: string; env: NotificationSettings; now: number; at?: number };

/**
 * Acts on a report. An email that didn't arrive is marked as failed; a person who can't be reached becomes
 * undeliverable, and one who complains is unsubscribed. A report about an email to the owner affects nobody on the
 * list, and one about an email to a new address doesn't affect the old one.
 * A report is ignored if the person's state has changed since the email was sent, because a report may be read twice.
 * @param options.now milliseconds since 1970
 * @returns whether the report was about one of our emails
 */
export async function applyReport(store: Store, report: BounceReport, options: Options): Promise<boolean> {
  const { secret, env, now, at = now } = options;
  if (report.kind === 'unmatched') return keepUnmatched(store, { ...report, at }, now);
  if (report.kind === 'unsubscribe') {
    const mailboxHash = readToken('unsubscribe', report.token, secret)?.mailboxHash;
    if (mailboxHash === undefined) return false;
    if (await hasChangedSince(store, ['mailbox_hash', mailboxHash], toIso(at))) return true;
    await unsubscribeMailbox(store, mailboxHash, 'email to the List-Unsubscribe address', env, now);
    return true;
  }
  const { mail, reason } = report;
  const delivery = await findDelivery(store, mail, secret, at);
  if (delivery === undefined) return false;
  const { id, kind, subscriber_id: subscriberId, finished_at: sentAt, update_id: updateId } = delivery;
  if (DELIVERY_KINDS[kind].recipient !== 'subscriber') {
    await store.transaction(async (tx) => {
      await failSent(tx, id, reason);
      if (report.kind === 'complaint') await dropNewAddress(tx, { subscriber_id: subscriberId ?? '' }, now);
    });
    return true;
  }
  if (subscriberId === null) return false;
  if (await hasChangedSince(store, ['id', subscriberId], sentAt ?? toIso(now))) return true;
  if (report.kind === 'complaint') {
    await unsubscribe(store, subscriberId, reason, env, now);
    return true;
  }
  const { fault } = report;
  await store.transaction(async (tx) => {
    await failSent(tx, id, reason, fault);
    if (fault !== 'sender') {
      await applyBounce(tx, { deliveryId: id, subscriberId, sentAt: sentAt ?? toIso(now), fault, reason }, now);
    }
    const update = updateId === null ? undefined : await lockUpdate(tx, updateId);
    if (update !== undefined) await pauseIfRejected(tx, update, reason, now);
  });
  return true;
}

/** Whether somebody joined, left or was restored after a time (ISO 8601). */
async function hasChangedSince(
  { db }: Store,
  [column, value]: ['id' | 'mailbox_hash', string],
  time: string,
): Promise<boolean> {
  const people = db.selectFrom('subscribers').select('id').where(column, '=', value);
  return (await people.where('state_changed_at', '>', time).executeTakeFirst()) !== undefined;
}

type ReportedDelivery = Pick<Delivery, 'id' | 'kind' | 'subscriber_id' | 'update_id' | 'finished_at'>;

/**
 * Finds a delivery by its id, or else the latest email (of this update, if known) to the mailbox in the token that was
 * sent before the report was written.
 */
async function findDelivery(
  { db }: Store,
  { deliveryIds, token, updateId }: ReturnedMail,
  secret: string,
  at: number,
): Promise<ReportedDelivery | undefined> {
  const deliveries = db
    .selectFrom('deliveries')
    .select(['deliveries.id', 'kind', 'subscriber_id', 'update_id', 'finished_at']);
  const named = await deliveries.where('deliveries.id', 'in', [...deliveryIds, '']).executeTakeFirst();
  const mailboxHash = token && readToken('unsubscribe', token, secret)?.mailboxHash;
  if (named !== undefined || !mailboxHash) return named;
  return deliveries
    .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber_id')
    .where('mailbox_hash', '=', mailboxHash)
    .where('deliveries.state', '=', 'sent')
    .where('kind', 'in', ['welcome', 'confirmation', 'update'])
    .where('finished_at', '<=', toIso(at + CLOCK_SKEW_MS))
    .$if(updateId !== undefined, (query) => query.where('update_id', '=', updateId ?? null))
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** How far behind the clock of another mail server may be. */
const CLOCK_SKEW_MS = 3600_000;
