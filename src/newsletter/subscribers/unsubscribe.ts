import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from 'kysely';
import { dropWaitingOf } from '../deliveries/queue/delivery-state.ts';
import { createDelivery } from '../deliveries/queue/new-delivery.ts';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Delivery, Schema, Subscriber } from '../database/schema.ts';
import { findByLink, lockPeople } from '../database/lock-rows.ts';
import { SHEET_DELAY_MS } from './erase.ts';
import { dropNewAddress } from './drop-new-address.ts';
import type { NotificationSettings } from './notifications.ts';

/** The recorded source of an unsubscription through the link in an email. */
export const BY_LINK = 'unsubscribe link';

/**
 * Withdraws the consent of the person who has this mailbox, and notifies the sheet and the agency if
 * they are notified of sign-ups. A second call only drops a confirmation that somebody may have asked for since, and
 * invalidates its link; within the hour, an undo button from the first also stops working (undo-unsubscribe.ts).
 * @param how recorded as evidence, for example `unsubscribe link`
 * @param now milliseconds since 1970
 * @returns false if nobody with this mailbox was on the list, or they had already unsubscribed
 */
export async function unsubscribeMailbox(
  store: Store,
  mailboxHash: string,
  how: string,
  env: NotificationSettings,
  now: number,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    // The link may have gone to a new address that hasn't been confirmed.
    await dropNewAddress(tx, { mailbox_hash: mailboxHash }, now);
    const person = await findByLink(tx, lockPeople(tx), mailboxHash);
    return person !== undefined && unsubscribePerson(tx, person, how, env, now);
  });
}

/** Does the same for the mailbox of the person with this id. */
export async function unsubscribe(
  store: Store,
  id: string,
  how: string,
  env: NotificationSettings,
  now: number,
): Promise<boolean> {
  const person = store.db.selectFrom('subscribers').select('mailbox_hash').where('id', '=', id);
  const { mailbox_hash: mailboxHash } = (await person.executeTakeFirst()) ?? {};
  return mailboxHash !== undefined && unsubscribeMailbox(store, mailboxHash, how, env, now);
}

/** How long an unsubscription can be undone, in milliseconds. */
export const UNDO_WITHIN_MS = 3600_000;

/** Unsubscribes a person whose row is locked. @returns false if they had already unsubscribed */
export async function unsubscribePerson(
  tx: Transaction<Schema>,
  person: Subscriber,
  how: string,
  env: NotificationSettings,
  now: number,
): Promise<boolean> {
  const { id } = person;
  await dropWaitingOf(tx, id, now);
  await dropNewAddress(tx, { subscriber_id: id }, now);
  const personUpdate = tx.updateTable('subscribers').where('id', '=', id);
  await personUpdate.set({ confirmation_queued_at: null }).execute();
  const at = toIso(now);
  if (person.state === 'unsubscribed') {
    if (now - Date.parse(person.state_changed_at) < UNDO_WITHIN_MS) {
      await personUpdate.set({ state_changed_at: at }).execute();
    }
    return false;
  }
  await personUpdate
    .set({ state: 'unsubscribed', undeliverable_reason: null, state_changed_at: at, engaged_at: at })
    .execute();
  // Somebody who hasn't confirmed was never on the list, so an undo must not put them on it.
  const source = person.state === 'pending' ? `${how}, before confirming` : how;
  await tx
    .insertInto('consent_records')
    .values({ id: randomUUIDv7(), subscriber_id: id, event: 'withdrawn', source, at })
    .execute();
  const notifications: Delivery[] = [];
  if (env.SHEET_URL) notifications.push(...(await markSheetRows(tx, id, now)));
  // The agency was never notified about somebody who hasn't confirmed.
  if (env.NOTIFY_TO && person.state !== 'pending') {
    notifications.push(createDelivery('unsubscribe-notice', id, { email: person.email }, now));
  }
  if (notifications.length > 0) await tx.insertInto('deliveries').values(notifications).execute();
  return true;
}

/** Creates a message that marks a person's rows in the sheet. The time is also added to rows that haven't been sent. */
async function markSheetRows(tx: Transaction<Schema>, subscriberId: string, now: number): Promise<Delivery[]> {
  const rows = await tx
    .selectFrom('deliveries')
    .select(['id', 'state', 'details'])
    .where('subscriber_id', '=', subscriberId)
    .where('kind', '=', 'sheet-row')
    .execute();
  const unsent = rows.filter(({ state }) => state !== 'sent');
  for (const { id, details } of unsent) {
    const marked = JSON.stringify({ ...JSON.parse(details), unsubscribed: toIso(now) });
    // The sheet's worker may have sent and cleared it in the meantime.
    await tx
      .updateTable('deliveries')
      .set({ details: marked })
      .where('id', '=', id)
      .where('state', '<>', 'sent')
      .execute();
  }
  if (rows.length === 0) return [];
  const ids = { rows: rows.map(({ id }) => id) };
  return [createDelivery('sheet-unsubscribe', subscriberId, ids, now, unsent.length > 0 ? SHEET_DELAY_MS : 0)];
}
