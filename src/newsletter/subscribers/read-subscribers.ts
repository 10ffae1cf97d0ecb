import type { Kysely, SelectQueryBuilder } from 'kysely';
import { READ_BATCH, readInBatches } from '../database/batches.ts';
import type { AddressChange, ConsentRecord, Delivery, Schema, Subscriber } from '../database/schema.ts';
import { findByLink } from '../database/lock-rows.ts';
import { hashMailbox, normaliseForSearch } from './email.ts';

export type SubscriberState = Subscriber['state'];

export const SUBSCRIBER_STATES: readonly SubscriberState[] = ['subscribed', 'pending', 'unsubscribed', 'undeliverable'];

/** A person with their consent records, each with the sentence next to the checkbox. */
export type SubscriberWithConsents = Subscriber & {
  consents: (Omit<ConsentRecord, 'id'> & { wording: string | null })[];
};

/**
 * Everything that is kept about one person; `updates` are those that they have received, and `newAddress` is one that
 * hasn't been confirmed yet.
 */
export type PersonRecord = SubscriberWithConsents & {
  deliveries: Delivery[];
  bounces: Schema['bounces'][];
  newAddress: Pick<AddressChange, 'email' | 'queued_at'> | undefined;
  formerMailboxes: Pick<Schema['former_mailboxes'], 'mailbox_hash'>[];
  updates: { subject: string; send_at: string }[];
};

/** Reads everything that is stored about one person. */
export async function readSubscriber(db: Kysely<Schema>, subscriber: Subscriber): Promise<PersonRecord | undefined> {
  const [withConsents] = await addConsents(db, [subscriber]);
  const deliveries = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('subscriber_id', '=', subscriber.id)
    .orderBy('queued_at')
    .execute();
  const bounces = await db.selectFrom('bounces').selectAll().where('subscriber_id', '=', subscriber.id).execute();
  const newAddress = await db
    .selectFrom('address_changes')
    .select(['email', 'queued_at'])
    .where('subscriber_id', '=', subscriber.id)
    .executeTakeFirst();
  const former = db.selectFrom('former_mailboxes').select('mailbox_hash').where('subscriber_id', '=', subscriber.id);
  const formerMailboxes = await former.execute();
  const updates = await readUpdatesOf(db, subscriber.id);
  return withConsents && { ...withConsents, deliveries, bounces, updates, newAddress, formerMailboxes };
}

/** Reads the updates that a person has received, including those whose deliveries have been pruned. */
function readUpdatesOf(db: Kysely<Schema>, id: string): Promise<PersonRecord['updates']> {
  const sent = db
    .selectFrom('deliveries')
    .select('update_id')
    .where('subscriber_id', '=', id)
    .where('state', '=', 'sent')
    .where('update_id', 'is not', null);
  const pruned = db
    .selectFrom('update_readers')
    .select('update_id')
    .where('subscriber_id', '=', id)
    .where('update_id', 'is not', null);
  return db
    .selectFrom('updates')
    .select(['subject', 'send_at'])
    .where((eb) =>
      eb.or([
        eb('id', 'in', sent.$castTo<{ update_id: string }>()),
        eb('id', 'in', pruned.$castTo<{ update_id: string }>()),
      ]),
    )
    .orderBy('send_at')
    .execute();
}

/**
 * Finds the person whose mailbox this address is or was, however it is spelt.
 * @param secret keys the hashes of mailboxes
 */
export function findSubscriber(db: Kysely<Schema>, email: string, secret: string): Promise<Subscriber | undefined> {
  const mailboxHash = hashMailbox(normaliseForSearch(email), secret);
  return findByLink(db, db.selectFrom('subscribers').selectAll(), mailboxHash);
}

export async function countPeople(people: SelectQueryBuilder<Schema, 'subscribers', object>): Promise<number> {
  const { count } = await people.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return count;
}

/** Counts people by their state in one pass, over an index. */
export async function countByState(
  people: SelectQueryBuilder<Schema, 'subscribers', object>,
): Promise<Record<SubscriberState, number>> {
  return people
    .select(({ fn }) =>
      SUBSCRIBER_STATES.map((state) => fn.countAll<number>().filterWhere('state', '=', state).as(state)),
    )
    .$castTo<Record<SubscriberState, number>>()
    .executeTakeFirstOrThrow();
}

/**
 * Reads people with their consent records in batches, the oldest sign-up first.
 * @param state if given, only people in this state are read
 */
export async function* readAllSubscribers(
  db: Kysely<Schema>,
  state?: SubscriberState,
): AsyncGenerator<SubscriberWithConsents[]> {
  const batches = readInBatches<Subscriber>((_, last) =>
    db
      .selectFrom('subscribers')
      .selectAll()
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'subscribed'))
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '>', tuple(last?.created_at ?? '', last?.id ?? '')),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(READ_BATCH)
      .execute(),
  );
  for await (const batch of batches) yield addConsents(db, batch);
}

async function addConsents(db: Kysely<Schema>, subscribers: Subscriber[]): Promise<SubscriberWithConsents[]> {
  const records = await db
    .selectFrom('consent_records')
    .leftJoin('consent_wordings', 'consent_wordings.version', 'consent_records.wording_version')
    .select(['subscriber_id', 'event', 'at', 'form', 'source', 'evidence', 'wording_version', 'wording'])
    .where(
      'subscriber_id',
      'in',
      subscribers.map((subscriber) => subscriber.id),
    )
    .orderBy('at')
    .execute();
  const consents = Map.groupBy(records, (record) => record.subscriber_id);
  return subscribers.map((subscriber) => ({
    ...subscriber,
    consents: consents.get(subscriber.id) ?? [],
  }));
}
