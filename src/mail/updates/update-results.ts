import type { Kysely } from 'kysely';
import type { Delivery, Schema, SentUpdate } from '#store/schema.ts';

/** The results of an update, beyond its counts. */
export type UpdateResults = {
  /** The states of 400 mails at most; those that are done come first. */
  states: Pick<Delivery, 'id' | 'state'>[];
  /** The first 100 people that a mail failed to reach, and why. */
  failures: (Reader & { reason: string | null })[];
  takenBack: TakenBack;
  /** How many of those reached have unsubscribed since it began. */
  unsubscribed: number;
};

type Reader = { subscriberId: string; address: string };

/**
 * People who are subscribed although their mailbox was refused: so many were refused that the update paused and their
 * marks were taken back.
 */
export type TakenBack = {
  /** The first 100 of them. */
  people: Reader[];
  count: number;
};

export async function findUpdateResults(
  db: Kysely<Schema>,
  { id, send_at }: Pick<SentUpdate, 'id' | 'send_at'>,
): Promise<UpdateResults> {
  const states = await db
    .selectFrom('deliveries')
    .select(['id', 'state'])
    .where('update_id', '=', id)
    .orderBy((order) => order.fn.coalesce('finished_at', order.val('9999')))
    .orderBy('id')
    .limit(MAX_STATES)
    .execute();
  const failures = await selectFailed(db, id)
    .select([...READER, 'deliveries.last_error as reason'])
    .orderBy('deliveries.finished_at')
    .limit(MAX_PEOPLE)
    .execute();
  const { count } = await db
    .selectFrom('deliveries')
    .innerJoin('consent_records', 'consent_records.subscriber_id', 'deliveries.subscriber_id')
    .select((select) => select.fn.count<number>('deliveries.subscriber_id').distinct().as('count'))
    .where('deliveries.update_id', '=', id)
    .where('deliveries.state', '=', 'sent')
    .where('consent_records.event', '=', 'withdrawn')
    .where('consent_records.at', '>=', send_at)
    .executeTakeFirstOrThrow();
  return { states, failures, takenBack: await findTakenBack(db, id), unsubscribed: count };
}

const MAX_STATES = 400;
const MAX_PEOPLE = 100;
const READER = ['subscribers.id as subscriberId', 'subscribers.address'] as const;

export async function findTakenBack(db: Kysely<Schema>, updateId: string): Promise<TakenBack> {
  const takenBack = selectFailed(db, updateId)
    .where('deliveries.refusal', '=', 'mailbox')
    .where('subscribers.state', '=', 'subscribed');
  const people = await takenBack.select(READER).orderBy('deliveries.finished_at').limit(MAX_PEOPLE).execute();
  const { count } = await takenBack
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { people, count };
}

function selectFailed(db: Kysely<Schema>, updateId: string) {
  return db
    .selectFrom('deliveries')
    .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber_id')
    .where('deliveries.update_id', '=', updateId)
    .where('deliveries.state', '=', 'failed');
}
