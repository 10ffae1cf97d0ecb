import type { Kysely } from 'kysely';
import type { Delivery, Schema, SentUpdate } from '#store/schema.ts';

/** The results of an update, beyond its counts. */
export type UpdateResults = {
  /** Of its first 400 mails, those that are done first. */
  states: Pick<Delivery, 'id' | 'state'>[];
  /** The first 100 people whose mail was refused, with their mail server's words. */
  refusals: { subscriberId: string; address: string; reason: string | null }[];
  /** How many of those reached have unsubscribed since it began. */
  unsubscribed: number;
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
  const refusals = await db
    .selectFrom('deliveries')
    .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber_id')
    .select(['subscribers.id as subscriberId', 'subscribers.address', 'deliveries.last_error as reason'])
    .where('deliveries.update_id', '=', id)
    .where('deliveries.state', '=', 'failed')
    .orderBy('deliveries.finished_at')
    .limit(MAX_REFUSALS)
    .execute();
  const { count } = await db
    .selectFrom('deliveries')
    .innerJoin('consent_records', 'consent_records.subscriber_id', 'deliveries.subscriber_id')
    .select((select) => select.fn.count<number | string>('deliveries.subscriber_id').distinct().as('count'))
    .where('deliveries.update_id', '=', id)
    .where('deliveries.state', '=', 'sent')
    .where('consent_records.event', '=', 'withdrawn')
    .where('consent_records.at', '>=', send_at)
    .executeTakeFirstOrThrow();
  return { states, refusals, unsubscribed: Number(count) };
}

const MAX_STATES = 400;
const MAX_REFUSALS = 100;
