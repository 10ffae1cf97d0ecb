import type { Kysely } from 'kysely';
import type { Schema, SentUpdate } from '../database/schema.ts';
import { isRetryableOfUpdate } from '../deliveries/queue/unsent.ts';

/** An update's results, beyond its counts. */
export type UpdateResults = {
  /** The first 100 people whose email failed, and why. */
  failures: (Reader & { reason: string | null })[];
  /** How many of the failed emails may be retried. */
  retryable: number;
  /** How many of the people reached have unsubscribed since it began. */
  unsubscribed: number;
};

type Reader = { subscriberId: string; email: string };

export async function findUpdateResults(db: Kysely<Schema>, { id }: Pick<SentUpdate, 'id'>): Promise<UpdateResults> {
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
    .whereRef('consent_records.at', '>=', 'deliveries.finished_at')
    .executeTakeFirstOrThrow();
  const { retryable } = await db
    .selectFrom('deliveries')
    .select((select) => select.fn.countAll<number>().as('retryable'))
    .where('kind', '=', 'update')
    .where('update_id', '=', id)
    .where(isRetryableOfUpdate)
    .executeTakeFirstOrThrow();
  return { failures, retryable, unsubscribed: count };
}

const MAX_PEOPLE = 100;
const READER = ['subscribers.id as subscriberId', 'subscribers.email'] as const;

function selectFailed(db: Kysely<Schema>, updateId: string) {
  return db
    .selectFrom('deliveries')
    .innerJoin('subscribers', 'subscribers.id', 'deliveries.subscriber_id')
    .where('deliveries.state', '=', 'failed')
    .where('deliveries.kind', '=', 'update')
    .where('deliveries.update_id', '=', updateId);
}
