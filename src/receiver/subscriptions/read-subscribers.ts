import type { Kysely } from 'kysely';
import type { ConsentRecord, Delivery, Schema, Subscriber } from '../store/schema.ts';
import { normaliseAddress } from '../address.ts';

/** A consent record with the sentence that stood beside the box. */
export type ConsentEvidence = Pick<ConsentRecord, 'event' | 'at' | 'form' | 'source' | 'wording_version'> & {
  wording: string | null;
};

export type SubscriberWithConsents = Subscriber & { consents: ConsentEvidence[] };

/** Everything that is kept of one person, or undefined. */
export async function readSubscriber(
  db: Kysely<Schema>,
  address: string,
): Promise<(SubscriberWithConsents & { deliveries: Delivery[] }) | undefined> {
  const subscriber = await findSubscriber(db, address);
  if (subscriber === undefined) return undefined;
  const [withConsents] = await addConsents(db, [subscriber]);
  const deliveries = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('subscriber_id', '=', subscriber.id)
    .orderBy('queued_at')
    .execute();
  return withConsents && { ...withConsents, deliveries };
}

export async function findSubscriber(db: Kysely<Schema>, address: string): Promise<Subscriber | undefined> {
  const normalised = normaliseAddress(address);
  if (normalised === undefined) return undefined;
  return db.selectFrom('subscribers').selectAll().where('normalised_address', '=', normalised).executeTakeFirst();
}

export async function countSubscribers(db: Kysely<Schema>): Promise<number> {
  const { count } = await db
    .selectFrom('subscribers')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Everybody with their consents, the oldest sign-up first, a batch at a time so that a long list fits in memory. */
export async function* readAllSubscribers(db: Kysely<Schema>): AsyncGenerator<SubscriberWithConsents[]> {
  let last: Subscriber | undefined;
  for (;;) {
    const after = last;
    const batch = await db
      .selectFrom('subscribers')
      .selectAll()
      .$if(after !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'id'), '>', tuple(after?.created_at ?? '', after?.id ?? '')),
        ),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(BATCH)
      .execute();
    if (batch.length === 0) return;
    yield addConsents(db, batch);
    last = batch.at(-1);
  }
}

const BATCH = 500;

async function addConsents(db: Kysely<Schema>, subscribers: Subscriber[]): Promise<SubscriberWithConsents[]> {
  const records = await db
    .selectFrom('consent_records')
    .leftJoin('consent_wordings', 'consent_wordings.version', 'consent_records.wording_version')
    .select(['subscriber_id', 'event', 'at', 'form', 'source', 'wording_version', 'wording'])
    .where(
      'subscriber_id',
      'in',
      subscribers.map((subscriber) => subscriber.id),
    )
    .orderBy('at')
    .execute();
  const consentsOf = Map.groupBy(records, (record) => record.subscriber_id);
  return subscribers.map((subscriber) => ({
    ...subscriber,
    consents: (consentsOf.get(subscriber.id) ?? []).map(({ event, at, form, source, wording_version, wording }) => ({
      event,
      at,
      form,
      source,
      wording_version,
      wording,
    })),
  }));
}
