import type { Kysely, QueryCreator } from 'kysely';
import type { Delivery, Schema, SentUpdate } from '../database/schema.ts';
import { DELIVERY_STATES } from '../deliveries/queue/delivery-state.ts';

/** The subscribers that an update is for. */
export type AudienceQuery = {
  file: string;
  contentHash: string;
  /** Left out for everybody; an empty text means people who gave no role. */
  roles?: string[] | undefined;
};

/** The people who would get an update now, by role; how many had it already, and how many wait. */
export type Audience = {
  total: number;
  byRole: { role: string; count: number }[];
  alreadySent: number;
  waiting: number;
};

/** Counts the subscribers that an update would go to: those of its roles who never got this same file. */
export async function countAudience(db: Kysely<Schema>, query: AudienceQuery): Promise<Audience> {
  const earlier = await findEarlier(db, query);
  const byRole = await selectAudience(db, query, earlier)
    .select((select) => ['role', select.fn.countAll<number>().as('count')])
    .groupBy('role')
    .orderBy('count', 'desc')
    .orderBy('role')
    .execute();
  const total = byRole.reduce((sum, { count }) => sum + count, 0);
  return { total, byRole, ...(await countEarlier(db, earlier)) };
}

type Earlier = Pick<SentUpdate, 'id' | 'state' | 'paused_from'>;

/** Finds the updates that were made from this same file, unchanged. */
export function findEarlier(db: Kysely<Schema>, { file, contentHash }: AudienceQuery): Promise<Earlier[]> {
  return db
    .selectFrom('updates')
    .select(['id', 'state', 'paused_from'])
    .where('file', '=', file)
    .where('content_hash', '=', contentHash)
    .execute();
}

/** @param earlier updates whose recipients are left out, and people who may have got them */
export function selectAudience(db: Kysely<Schema>, { roles }: Pick<AudienceQuery, 'roles'>, earlier: Earlier[]) {
  const ids = earlier.map(({ id }) => id);
  return db
    .selectFrom('subscribers')
    .where('subscribers.state', '=', 'subscribed')
    .$if(roles !== undefined, (query) => query.where('role', 'in', roles ?? []))
    .$if(ids.length > 0, (query) =>
      query.where(({ and, exists, not, selectFrom }) => {
        const mayHaveIt = selectFrom('deliveries')
          .select('deliveries.id')
          .whereRef('deliveries.subscriber_id', '=', 'subscribers.id')
          .where('deliveries.update_id', 'in', ids)
          .where((one) =>
            one.or([
              one('deliveries.state', 'in', ['sent', 'waiting', 'sending']),
              one('deliveries.interruptions', '>', 0),
            ]),
          );
        const hadIt = selectFrom('update_readers')
          .select('update_readers.subscriber_id')
          .where('update_readers.update_id', 'in', ids)
          .whereRef('update_readers.subscriber_id', '=', 'subscribers.id');
        return and([not(exists(mayHaveIt)), not(exists(hadIt))]);
      }),
    );
}

async function countEarlier(
  db: Kysely<Schema>,
  earlier: Earlier[],
): Promise<Pick<Audience, 'alreadySent' | 'waiting'>> {
  if (earlier.length === 0) return { alreadySent: 0, waiting: 0 };
  const ids = earlier.map(({ id }) => id);
  const { sent, waiting, sending } = await countByState(db, ids);
  return { alreadySent: sent + (await countReaders(db, ids)), waiting: waiting + sending };
}

/** How many deliveries of these updates are in each state. */
export async function countByState(
  db: QueryCreator<Schema>,
  updateIds: string[],
): Promise<Record<Delivery['state'], number>> {
  const rows = await db
    .selectFrom('deliveries')
    .select((select) => ['state', select.fn.countAll<number>().as('count')])
    .where('state', 'in', DELIVERY_STATES)
    .where('kind', '=', 'update')
    .where('update_id', 'in', updateIds)
    .groupBy('state')
    .execute();
  const counted = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  return { waiting: 0, sending: 0, sent: 0, failed: 0, dropped: 0, ...counted };
}

/** Counts the people who got updates whose deliveries are pruned. */
export async function countReaders(db: Kysely<Schema>, updateIds: string[]): Promise<number> {
  const { readers } = await db
    .selectFrom('update_readers')
    .select((select) => select.fn.countAll<number>().as('readers'))
    .where('update_id', 'in', updateIds)
    .executeTakeFirstOrThrow();
  return readers;
}
