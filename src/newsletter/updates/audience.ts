import type { Kysely, QueryCreator } from 'kysely';
import type { Delivery, Schema, SentUpdate } from '../database/schema.ts';
import { DELIVERY_STATES } from '../deliveries/queue/delivery-state.ts';

/** The subscribers that an update is for. */
export type AudienceQuery = {
  file: string;
  textHash: string;
  /** Omitted for everybody; an empty string means people who gave no role. */
  roles?: string[] | undefined;
  /** Whether people who received it with an earlier text get this one too. */
  again?: boolean;
};

/**
 * The people who would get an update now, by role; how many have received it, or an earlier text of it; and how many
 * are waiting for it.
 */
export type Audience = {
  total: number;
  byRole: { role: string; count: number }[];
  alreadySent: number;
  /** People with its roles who have received an earlier text, but not this one. */
  hadEarlier: number;
  waiting: number;
};

/** Counts the subscribers that an update would go to: those with its roles who haven't received it. */
export async function countAudience(db: Kysely<Schema>, query: AudienceQuery): Promise<Audience> {
  const earlier = await findEarlier(db, query);
  const byRole = await selectAudience(db, query, earlier)
    .select((select) => ['role', select.fn.countAll<number>().as('count')])
    .groupBy('role')
    .orderBy('count', 'desc')
    .orderBy('role')
    .execute();
  const total = byRole.reduce((sum, { count }) => sum + count, 0);
  // The difference is the people who had an earlier text.
  const other = await selectAudience(db, { ...query, again: !query.again }, earlier)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { total, byRole, hadEarlier: Math.abs(total - other.count), ...(await countEarlier(db, query, earlier)) };
}

/** An earlier sending of an update. */
export type Earlier = Pick<SentUpdate, 'id' | 'state' | 'paused_from' | 'text_hash'>;

/** Finds each time that an update was sent or scheduled: with any text, or the same text under another name. */
export function findEarlier(
  db: Kysely<Schema>,
  { file, textHash }: Pick<AudienceQuery, 'file' | 'textHash'>,
): Promise<Earlier[]> {
  return db
    .selectFrom('updates')
    .select(['id', 'state', 'paused_from', 'text_hash'])
    .where((update) => update.or([update('file', '=', file), update('text_hash', '=', textHash)]))
    .execute();
}

/** @param earlier the earlier sendings of this update; people who received it, or may have, are left out */
export function selectAudience(
  db: Kysely<Schema>,
  { file, textHash, roles, again = false }: AudienceQuery,
  earlier: Earlier[],
) {
  // With `again`, an earlier text doesn't count, but a waiting email with it does.
  const hadBy = earlier.filter((update) => !again || update.text_hash === textHash).map(({ id }) => id);
  const ids = earlier.map(({ id }) => id);
  return db
    .selectFrom('subscribers')
    .where('subscribers.state', '=', 'subscribed')
    .$if(roles !== undefined, (query) => query.where('role', 'in', roles ?? []))
    .$if(ids.length > 0, (query) =>
      query.where(({ exists, not, selectFrom }) => {
        const mayHaveIt = selectFrom('deliveries')
          .select('deliveries.id')
          .whereRef('deliveries.subscriber_id', '=', 'subscribers.id')
          .where((one) =>
            one.or([
              one.and([one('deliveries.update_id', 'in', ids), one('deliveries.state', 'in', ['waiting', 'sending'])]),
              one.and([
                one('deliveries.update_id', 'in', [...hadBy, '']),
                one.or([one('deliveries.state', '=', 'sent'), one('deliveries.interruptions', '>', 0)]),
              ]),
            ]),
          );
        return not(exists(mayHaveIt));
      }),
    )
    .where(({ exists, not, selectFrom }) => {
      const hadIt = selectFrom('update_readers')
        .select('update_readers.subscriber_id')
        .whereRef('update_readers.subscriber_id', '=', 'subscribers.id')
        .where((had) => {
          const sameText = had('update_readers.text_hash', '=', textHash);
          return again ? sameText : had.or([sameText, had('update_readers.file', '=', file)]);
        });
      return not(exists(hadIt));
    });
}

async function countEarlier(
  db: Kysely<Schema>,
  { textHash }: AudienceQuery,
  earlier: Earlier[],
): Promise<Pick<Audience, 'alreadySent' | 'waiting'>> {
  const { waiting, sending } = await countByState(
    db,
    earlier.map(({ id }) => id),
  );
  const same = earlier.filter(({ text_hash }) => text_hash === textHash).map(({ id }) => id);
  const { sent } = await countByState(db, same);
  const { readers } = await db
    .selectFrom('update_readers')
    .select((select) => select.fn.countAll<number>().as('readers'))
    .where('text_hash', '=', textHash)
    .executeTakeFirstOrThrow();
  return { alreadySent: sent + readers, waiting: waiting + sending };
}

/** Counts these updates' deliveries by state. */
export async function countByState(
  db: QueryCreator<Schema>,
  updateIds: string[],
): Promise<Record<Delivery['state'], number>> {
  const rows = await db
    .selectFrom('deliveries')
    .select((select) => ['state', select.fn.countAll<number>().as('count')])
    .where('state', 'in', DELIVERY_STATES)
    .where('kind', '=', 'update')
    .where('update_id', 'in', [...updateIds, ''])
    .groupBy('state')
    .execute();
  const counted = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  return { waiting: 0, sending: 0, sent: 0, failed: 0, dropped: 0, ...counted };
}

/** Counts the people who received an update whose deliveries have been pruned. */
export async function countReaders(db: Kysely<Schema>, updateId: string): Promise<number> {
  const { readers } = await db
    .selectFrom('update_readers')
    .select((select) => select.fn.countAll<number>().as('readers'))
    .where('update_id', '=', updateId)
    .executeTakeFirstOrThrow();
  return readers;
}
