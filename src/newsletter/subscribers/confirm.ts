import { randomUUIDv7 } from 'node:crypto';
import type { QueryCreator } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema, Subscriber } from '../database/schema.ts';
import { findByLink, lockMailbox } from '../database/lock-rows.ts';
import { createNotifications, type NotificationSettings } from './notifications.ts';
import type { Link } from './tokens.ts';

/**
 * Subscribes the person who was emailed this link, and notifies the sheet and the agency. The confirmation was their
 * one email of the day, so no welcome email follows.
 * @param now milliseconds since 1970
 * @returns whether the person is now subscribed; false for a link that is no longer valid
 */
export async function confirm(store: Store, link: Link, env: NotificationSettings, now: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    const person = await lockMailbox(tx, link.mailboxHash);
    if (!(await canConfirm(tx, person, link, now))) return false;
    if (person === undefined || person.state === 'subscribed') return true;
    await tx
      .updateTable('subscribers')
      .set({ state: 'subscribed', state_changed_at: toIso(now), engaged_at: toIso(now) })
      .where('id', '=', person.id)
      .execute();
    const given = await tx
      .selectFrom('consent_records')
      .select(['wording_version', 'form', 'source'])
      .where('subscriber_id', '=', person.id)
      .where('event', '=', 'given')
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    const source = given?.source ?? person.first_source;
    await tx
      .insertInto('consent_records')
      .values({ ...given, id: randomUUIDv7(), subscriber_id: person.id, event: 'confirmed', source, at: toIso(now) })
      .execute();
    const notifications = createNotifications(person.id, { ...person, source }, env, now);
    if (notifications.length > 0) await tx.insertInto('deliveries').values(notifications).execute();
    return true;
  });
}

/**
 * Whether a confirmation link would subscribe its person, or has already done so.
 * @param now milliseconds since 1970
 */
export async function isConfirmable({ db }: Store, link: Link, now: number): Promise<boolean> {
  const person = db.selectFrom('subscribers').selectAll().where('mailbox_hash', '=', link.mailboxHash);
  return canConfirm(db, await person.executeTakeFirst(), link, now);
}

/**
 * Whether a link is still valid for the person with its mailbox: links are valid for thirty days, or until the person
 * unsubscribes. Somebody who signed up twice may use either link. For somebody who is on the list, any link is valid,
 * however old, and the page says that they are on the list, even if they have since moved to a new address.
 */
async function canConfirm(
  db: QueryCreator<Schema>,
  person: Subscriber | undefined,
  { mailboxHash, queuedAt = '' }: Link,
  now: number,
): Promise<boolean> {
  if (person === undefined) {
    const mover = await findByLink(db, db.selectFrom('subscribers').selectAll(), mailboxHash);
    return mover?.state === 'subscribed';
  }
  const { id, state, state_changed_at, confirmation_queued_at: askedAt } = person;
  if (state === 'subscribed') return true;
  if (askedAt === null || state === 'undeliverable' || now - Date.parse(queuedAt) >= LINK_VALID_MS) return false;
  if (state === 'unsubscribed' && queuedAt < state_changed_at) return false;
  if (askedAt === queuedAt) return true;
  const mailed = db
    .selectFrom('deliveries')
    .select('id')
    .where('subscriber_id', '=', id)
    .where('kind', '=', 'confirmation')
    .where('queued_at', '=', queuedAt);
  return (await mailed.executeTakeFirst()) !== undefined;
}

/** Pending people are erased after the same period. */
const LINK_VALID_MS = 30 * 24 * 3600_000;
