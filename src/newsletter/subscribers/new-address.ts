import { randomUUIDv7 } from 'node:crypto';
import type { QueryCreator, Transaction } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import { lockMailbox, lockPeople } from '../database/lock-rows.ts';
import type { Store } from '../database/open-store.ts';
import type { AddressChange, Schema, Subscriber } from '../database/schema.ts';
import { createDelivery, MAIL_PAUSE_MS, MAX_ASKED_FOR } from '../deliveries/queue/new-delivery.ts';
import { markErasure } from '../retention/erased-bytes.ts';
import { dropNewAddress } from './drop-new-address.ts';
import { hashMailbox, normaliseEmail, toDisplayEmail } from './email.ts';
import { eraseSheetRows, removePeople } from './erase.ts';
import { createNotifications, type NotificationSettings } from './notifications.ts';
import type { Link } from './tokens.ts';
import { unsubscribePerson } from './unsubscribe.ts';

/** The source in the consent record of a confirmation from a new address. */
export const NEW_ADDRESS = 'new address';

/** Whether somebody can move to a new address; anybody else can simply sign up with theirs. */
export function canMove({ state }: Pick<Subscriber, 'state'>): boolean {
  return state === 'subscribed' || state === 'undeliverable';
}

/**
 * Sends one email with one link to the new address of somebody on the list. Nothing else changes until the link is
 * used. A second request replaces the first.
 * @param typed the new address
 * @param now milliseconds since 1970
 * @returns the new address as people read it
 * @throws an error that tells the owner why it can't be used
 */
export async function askNewAddress(
  store: Store,
  id: string,
  { typed, secret }: { typed: string; secret: string },
  now: number,
): Promise<string> {
  const normalised = normaliseEmail(typed);
  if (normalised === undefined) {
    throw new Error(`“${typed}” is not an email address. Expected one such as anna@example.org.`);
  }
  const email = toDisplayEmail(typed);
  const mailboxHash = hashMailbox(normalised, secret);
  await store.transaction(async (tx) => {
    const person = await lockPeople(tx).where('id', '=', id).executeTakeFirst();
    if (person === undefined || !canMove(person)) {
      throw new Error('They have unsubscribed in the meantime. They can sign up with the new address.');
    }
    if (person.mailbox_hash === mailboxHash) throw new Error(`${email} is the mailbox that they already use.`);
    if ((await lockMailbox(tx, mailboxHash)) !== undefined) {
      throw new Error(`${email} is on your list already. Unsubscribe the old address instead.`);
    }
    await checkLimit(tx, id, now);
    const queued_at = toIso(now);
    const change = { email, normalised_email: normalised, mailbox_hash: mailboxHash, queued_at };
    await tx
      .insertInto('address_changes')
      .values({ subscriber_id: id, ...change })
      .onConflict((conflict) => conflict.column('subscriber_id').doUpdateSet(change))
      .execute();
    await tx
      .insertInto('deliveries')
      .values(createDelivery('new-address', id, { queuedAt: queued_at }, now))
      .execute();
  });
  return email;
}

async function checkLimit(tx: Transaction<Schema>, id: string, now: number): Promise<void> {
  const asked = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('subscriber_id', '=', id)
    .where('kind', '=', 'new-address')
    .where('queued_at', '>', toIso(now - MAIL_PAUSE_MS))
    .execute();
  if (asked.length < MAX_ASKED_FOR) return;
  throw new Error('You have sent three of these emails for this person today. Wait until tomorrow.');
}

/** Whether a link to a new address moves somebody to it, or has done so. */
export async function isNewAddress({ db }: Store, link: Link, now: number): Promise<boolean> {
  if ((await findChange(db, link, now)) !== undefined) return true;
  const person = db.selectFrom('subscribers').select('id').where('mailbox_hash', '=', link.mailboxHash);
  return (await person.where('state', '=', 'subscribed').executeTakeFirst()) !== undefined;
}

/**
 * Replaces a person's address with the new one that this link confirms; their history and consent are kept. If they
 * have signed up with it in the meantime, the old address is unsubscribed instead. Their row in the sheet is replaced.
 * @param now milliseconds since 1970
 * @returns whether updates go to the address now; false for a link that is no longer valid
 */
export async function moveToNewAddress(
  store: Store,
  link: Link,
  env: NotificationSettings,
  now: number,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const change = await findChange(tx, link, now);
    const other = await lockMailbox(tx, link.mailboxHash);
    if (change === undefined) return other?.state === 'subscribed';
    const person = await lockPeople(tx).where('id', '=', change.subscriber_id).executeTakeFirst();
    if (person === undefined || !canMove(person)) return false;
    await dropNewAddress(tx, { subscriber_id: person.id }, now);
    if (other?.state === 'subscribed') {
      await unsubscribePerson(tx, person, 'a new address that was on the list already', env, now);
      return true;
    }
    if (other !== undefined) await removePeople(tx, [other], now);
    await replaceAddress(tx, person, change, now);
    await recordMove(tx, person, now);
    await replaceSheetRows(tx, { ...person, email: change.email }, env, now);
    return true;
  });
}

/** Deletes the new addresses that weren't confirmed in time. */
export async function removeOldNewAddresses(store: Store, now: number): Promise<void> {
  await store.transaction(async (tx) => {
    const old = tx.deleteFrom('address_changes').where('queued_at', '<=', toIso(now - LINK_VALID_MS));
    if ((await old.returning('subscriber_id').execute()).length > 0) await markErasure(tx, now);
  });
}

const LINK_VALID_MS = 7 * 24 * 3600_000;

async function findChange(
  db: QueryCreator<Schema>,
  { mailboxHash, queuedAt = '' }: Link,
  now: number,
): Promise<AddressChange | undefined> {
  return db
    .selectFrom('address_changes')
    .selectAll()
    .where('mailbox_hash', '=', mailboxHash)
    .where('queued_at', '=', queuedAt)
    .where('queued_at', '>', toIso(now - LINK_VALID_MS))
    .executeTakeFirst();
}

async function replaceAddress(
  tx: Transaction<Schema>,
  { id, mailbox_hash: former }: Subscriber,
  { email, normalised_email, mailbox_hash }: AddressChange,
  now: number,
): Promise<void> {
  const at = toIso(now);
  await tx
    .updateTable('subscribers')
    .set({ email, normalised_email, mailbox_hash, state: 'subscribed', undeliverable_reason: null })
    .set({ state_changed_at: at, engaged_at: at })
    .where('id', '=', id)
    .execute();
  await tx.deleteFrom('former_mailboxes').where('mailbox_hash', '=', mailbox_hash).execute();
  await tx
    .insertInto('former_mailboxes')
    .values({ mailbox_hash: former, subscriber_id: id })
    .onConflict((conflict) => conflict.column('mailbox_hash').doUpdateSet({ subscriber_id: id }))
    .execute();
  await markErasure(tx, now);
}

async function recordMove(tx: Transaction<Schema>, { id }: Subscriber, now: number): Promise<void> {
  const given = await tx
    .selectFrom('consent_records')
    .select(['wording_version', 'form'])
    .where('subscriber_id', '=', id)
    .where('event', '=', 'given')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const record = { id: randomUUIDv7(), subscriber_id: id, event: 'confirmed' as const, at: toIso(now) };
  await tx
    .insertInto('consent_records')
    .values({ ...given, ...record, source: NEW_ADDRESS })
    .execute();
}

async function replaceSheetRows(
  tx: Transaction<Schema>,
  person: Subscriber,
  { SHEET_URL }: NotificationSettings,
  now: number,
): Promise<void> {
  const rows = await tx
    .deleteFrom('deliveries')
    .where('subscriber_id', '=', person.id)
    .where('kind', 'in', ['sheet-row', 'sheet-unsubscribe'])
    .returning(['id', 'kind', 'subscriber_id', 'state'])
    .execute();
  await eraseSheetRows(
    tx,
    rows.filter(({ kind }) => kind === 'sheet-row'),
    now,
  );
  const signedUp = { ...person, source: person.first_source };
  const added = createNotifications(person.id, signedUp, { SHEET_URL, NOTIFY_TO: undefined }, now);
  if (added.length > 0) await tx.insertInto('deliveries').values(added).execute();
}
