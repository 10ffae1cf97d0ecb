import { randomUUIDv7 } from 'node:crypto';
import type { QueryCreator, Transaction } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import { findByLink, lockPeople } from '../database/lock-rows.ts';
import type { Store } from '../database/open-store.ts';
import type { ConsentRecord, Schema, Subscriber } from '../database/schema.ts';
import { createNotifications, type NotificationSettings } from './notifications.ts';
import type { Link } from './tokens.ts';
import { BY_LINK, UNDO_WITHIN_MS } from './unsubscribe.ts';

/** How an unsubscription by the owner is recorded. */
export const FROM_DESK = 'desk';

/**
 * Whether the owner may undo unsubscribing somebody by mistake: within an hour, unless the person has also
 * unsubscribed.
 * @param now milliseconds since 1970
 */
export function isUndoable(
  person: Pick<Subscriber, 'state' | 'state_changed_at'> & {
    consents: Pick<ConsentRecord, 'event' | 'source' | 'at'>[];
  },
  now: number,
): boolean {
  const { consents, state_changed_at: at } = person;
  return mayUndo(person, consents, FROM_DESK, now) && consents.at(-1)?.at === at;
}

/**
 * Resubscribes a person whom the owner unsubscribed by mistake. Their earlier consent is recorded again, with a note
 * of the mistake, and they get a new row in the sheet.
 * @param now milliseconds since 1970
 * @returns false if it can no longer be undone
 */
export async function undoUnsubscribe(
  store: Store,
  id: string,
  { SHEET_URL }: Pick<NotificationSettings, 'SHEET_URL'>,
  now: number,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const person = await lockPeople(tx).where('id', '=', id).executeTakeFirst();
    if (person === undefined) return false;
    const consents = await readConsents(tx, id);
    if (!isUndoable({ ...person, consents }, now)) return false;
    await resubscribe(tx, person, { consents, how: 'on the desk', env: { SHEET_URL, NOTIFY_TO: undefined } }, now);
    return true;
  });
}

/**
 * Finds the time that an undo button must contain: when *Unsubscribe* was last pressed on the page of a link, if that
 * can be undone. Somebody who pressed it earlier, such as a friend to whom the email was forwarded, can no longer undo
 * it.
 * @param now milliseconds since 1970
 * @returns an ISO time
 */
export async function findUndoTime({ db }: Store, mailboxHash: string, now: number): Promise<string | undefined> {
  const person = await findByLink(db, db.selectFrom('subscribers').selectAll(), mailboxHash);
  if (person === undefined) return undefined;
  const consents = await readConsents(db, person.id);
  return mayUndo(person, consents, BY_LINK, now) ? person.state_changed_at : undefined;
}

/**
 * Resubscribes somebody who pressed *Unsubscribe* by mistake, and notifies the sheet and the agency.
 * @param link contains the time that `findUndoTime` returned
 * @param now milliseconds since 1970
 * @returns false if it can no longer be undone
 */
export async function undoByLink(store: Store, link: Link, env: NotificationSettings, now: number): Promise<boolean> {
  return store.transaction(async (tx) => {
    const person = await findByLink(tx, lockPeople(tx), link.mailboxHash);
    if (person === undefined || person.state_changed_at !== link.queuedAt) return false;
    const consents = await readConsents(tx, person.id);
    if (!mayUndo(person, consents, BY_LINK, now)) return false;
    await resubscribe(tx, person, { consents, how: 'by the link', env }, now);
    return true;
  });
}

function mayUndo(
  { state }: Pick<Subscriber, 'state'>,
  consents: Pick<ConsentRecord, 'event' | 'source' | 'at'>[],
  how: typeof FROM_DESK | typeof BY_LINK,
  now: number,
): boolean {
  const last = consents.at(-1);
  const hadAgreed = consents.some(({ event }) => event === 'given');
  const isSame = last?.event === 'withdrawn' && last.source === how;
  return state === 'unsubscribed' && hadAgreed && isSame && now - Date.parse(last.at) < UNDO_WITHIN_MS;
}

function readConsents(db: QueryCreator<Schema>, id: string): Promise<ConsentRecord[]> {
  const records = db.selectFrom('consent_records').selectAll().where('subscriber_id', '=', id);
  return records.orderBy('at').orderBy('id').execute();
}

/** How the record of an undo ends. It repeats the earlier consent: the person agreed to nothing at that moment. */
const UNDONE = 'by mistake, and undone within the hour';

/** Whether a consent record with this source is the record of an undo. */
export function isUndo(source: string): boolean {
  return source.endsWith(UNDONE);
}

async function resubscribe(
  tx: Transaction<Schema>,
  person: Subscriber,
  { consents, how, env }: { consents: ConsentRecord[]; how: string; env: NotificationSettings },
  now: number,
): Promise<void> {
  const { id } = person;
  const personUpdate = tx.updateTable('subscribers').set({ state: 'subscribed', state_changed_at: toIso(now) });
  await personUpdate.where('id', '=', id).execute();
  const given = consents.findLast(({ event }) => event === 'given');
  const source = `unsubscribed ${how} ${UNDONE}`;
  await tx
    .insertInto('consent_records')
    .values({ ...given, id: randomUUIDv7(), subscriber_id: id, event: 'given', source, at: toIso(now) })
    .execute();
  const signedUp = { ...person, source: given?.source ?? person.first_source };
  const notifications = createNotifications(id, signedUp, env, now);
  if (notifications.length > 0) await tx.insertInto('deliveries').values(notifications).execute();
}
