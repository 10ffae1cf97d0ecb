import { type Kysely, sql } from 'kysely';
import { listKinds } from '#store/delivery-kinds.ts';
import { READ_PORTION, readInPortions } from '#store/in-portions.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, DeliveryKind, Schema, SentUpdate } from '#store/schema.ts';

/** How many deliveries wait or are on their way, and how many were given up. */
export type Unsent = { waiting: number; failed: number };

export async function countUnsent({ db }: Store): Promise<Unsent> {
  const rows = await db
    .selectFrom('deliveries')
    .select((select) => ['state', select.fn.countAll<number>().as('count')])
    .where('state', 'in', ['waiting', 'sending', 'failed'])
    .groupBy('state')
    .execute();
  const count = (state: Delivery['state']) => rows.find((row) => row.state === state)?.count ?? 0;
  return { waiting: count('waiting') + count('sending'), failed: count('failed') };
}

/**
 * Whether the owner can do something about a delivery that failed, updates aside. She can't if the mailbox refused it,
 * or if the person is marked or left since.
 */
export async function hasFixableFailure(db: Kysely<Schema>): Promise<boolean> {
  const failed = await db
    .selectFrom('deliveries')
    .leftJoin('subscribers', 'subscribers.id', 'deliveries.subscriber_id')
    .select('deliveries.id')
    .where('deliveries.state', '=', 'failed')
    .where('kind', '<>', 'update')
    .where((where) => where.or([where('refusal', 'is', null), where('refusal', '<>', 'mailbox')]))
    .where((where) =>
      where.or([where('kind', 'in', TO_OWNER_OR_SHEET), where('subscribers.state', 'in', ['subscribed', 'pending'])]),
    )
    .limit(1)
    .executeTakeFirst();
  return failed !== undefined;
}

const TO_OWNER_OR_SHEET = listKinds(({ recipient }) => recipient !== 'subscriber');

/** Deliveries of one kind, or of one update, that have not gone out. */
export type WaitingKind = {
  kind: DeliveryKind;
  /** The update's subject; null for every other kind. */
  subject: string | null;
  updateState: SentUpdate['state'] | null;
  count: number;
  /** When the next of them is due, as an ISO time. */
  dueAt: string;
  /** Why the last attempt at one of them failed; null where none has. */
  lastError: string | null;
};

/** Reads which deliveries wait, and why: one entry for each kind of delivery and each update, the largest first. */
export function readWaiting(db: Kysely<Schema>): Promise<WaitingKind[]> {
  return db
    .selectFrom('deliveries')
    .leftJoin('updates', 'updates.id', 'deliveries.update_id')
    .select((select) => [
      'deliveries.kind',
      'updates.subject',
      'updates.state as updateState',
      select.fn.countAll<number>().as('count'),
      select.fn.min('deliveries.due_at').as('dueAt'),
      select.fn.max('deliveries.last_error').as('lastError'),
    ])
    .where('deliveries.state', '=', 'waiting')
    .groupBy(['deliveries.kind', 'updates.subject', 'updates.state'])
    .orderBy('count', 'desc')
    .execute();
}

/** The first 100 deliveries that failed or wait, without updates: first those that failed, each the oldest first. */
export async function listUnsent(db: Kysely<Schema>): Promise<Delivery[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('state', 'in', ['waiting', 'failed'])
    .where('kind', '<>', 'update')
    .orderBy('state')
    .orderBy('queued_at')
    .limit(MAX_LISTED)
    .execute();
}

const MAX_LISTED = 100;

/**
 * Reads deliveries in these states, a thousand at a time, in the order of their ids and so of time.
 * @param which a delivery's id, an update's id for what failed of it, or `all`
 */
export function readUnsentDeliveries(
  { db }: Store,
  states: Delivery['state'][],
  which = 'all',
): AsyncGenerator<Delivery[]> {
  // As expressions, so that SQLite follows the ids instead of sorting all that match for each portion.
  const isIn = (wanted: Delivery['state'][]) => sql<boolean>`state || '' in (${sql.join(wanted)})`;
  return readInPortions((afterId) =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where(isIn(states))
      .$if(which !== 'all', (query) =>
        query.where((where) =>
          where.or([where('id', '=', which), where.and([sql<boolean>`update_id || '' = ${which}`, isIn(['failed'])])]),
        ),
      )
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(READ_PORTION)
      .execute(),
  );
}
