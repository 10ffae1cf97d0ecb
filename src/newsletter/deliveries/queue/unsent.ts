import { type Expression, type ExpressionBuilder, type Kysely, sql, type SqlBool } from 'kysely';
import { listKinds } from './delivery-kinds.ts';
import { READ_BATCH, readInBatches } from '../../database/batches.ts';
import type { Store } from '../../database/open-store.ts';
import type { Delivery, DeliveryKind, Schema, SentUpdate } from '../../database/schema.ts';

/** How many deliveries are waiting or being sent, and how many have failed. */
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

/** Whether there is a failed delivery that the owner can do something about, not counting those of updates. */
export async function hasFixableFailure(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom('deliveries').select('id').where(isRetryable).limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Whether a failed delivery is worth retrying: not to a dead mailbox, nor to somebody who no longer gets such emails.
 * Emails of updates are left out, since each update has its own page.
 */
function isRetryable(where: ExpressionBuilder<Schema, 'deliveries'>): Expression<SqlBool> {
  const toSubscribers = listKinds(({ recipient }) => recipient === 'subscriber');
  const isReachable = where.exists(
    where
      .selectFrom('subscribers')
      .select('subscribers.id')
      .whereRef('subscribers.id', '=', 'deliveries.subscriber_id')
      .where((person) =>
        person.or([
          person('subscribers.state', '=', 'subscribed'),
          person.and([
            person('kind', '=', 'confirmation'),
            person('subscribers.confirmation_queued_at', 'is not', null),
            person('subscribers.state', '<>', 'undeliverable'),
          ]),
        ]),
      ),
  );
  return where.and([
    where('deliveries.state', '=', 'failed'),
    where('deliveries.kind', '<>', 'update'),
    where.or([
      where('deliveries.kind', 'not in', toSubscribers),
      where.and([where.or([where('fault', 'is', null), where('fault', '<>', 'mailbox')]), isReachable]),
    ]),
  ]);
}

/**
 * Whether a failed email of an update is worth retrying: its time was up, or it was rejected for a reason other than
 * the mailbox. An email that may have arrived never is, nor is one to somebody who gets the update with another text.
 */
export function isRetryableOfUpdate(where: ExpressionBuilder<Schema, 'deliveries'>): Expression<SqlBool> {
  const otherVersion = where
    .selectFrom('deliveries as others')
    .innerJoin('updates as versions', 'versions.id', 'others.update_id')
    .innerJoin('updates as own', 'own.file', 'versions.file')
    .select('others.id')
    .whereRef('own.id', '=', 'deliveries.update_id')
    .whereRef('others.id', '<>', 'deliveries.id')
    .whereRef('others.subscriber_id', '=', 'deliveries.subscriber_id')
    .where('others.state', 'in', ['waiting', 'sending', 'sent']);
  return where.and([
    where.not(where.exists(otherVersion)),
    where('deliveries.state', '=', 'failed'),
    where('deliveries.interruptions', '=', 0),
    where.or([where('fault', 'is', null), where('fault', '<>', 'mailbox')]),
    where.exists(
      where
        .selectFrom('subscribers')
        .select('subscribers.id')
        .whereRef('subscribers.id', '=', 'deliveries.subscriber_id')
        .where('subscribers.state', '=', 'subscribed'),
    ),
  ]);
}

/** The waiting deliveries of one kind, or of one update. */
export type WaitingKind = {
  kind: DeliveryKind;
  /** The update's subject; null for every other kind. */
  subject: string | null;
  updateState: SentUpdate['state'] | null;
  count: number;
  /** When the next of them is due, as an ISO time. */
  dueAt: string;
  /** Why the last attempt at one of them failed; null if none has. */
  lastError: string | null;
};

/** Reads which deliveries are waiting, and why: an entry for each kind and each update, the largest first. */
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

/** The deliveries that are waiting, or that have failed and can be retried, except those of updates. */
export type UnsentList = {
  /** At most 100: the failed ones, then the waiting ones, both oldest first. */
  deliveries: Delivery[];
  count: number;
};

export async function listUnsent(db: Kysely<Schema>): Promise<UnsentList> {
  const unsent = db.selectFrom('deliveries').where(isUnsent);
  const deliveries = await unsent.selectAll().orderBy('state').orderBy('queued_at').limit(MAX_LISTED).execute();
  const { count } = await unsent.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return { deliveries, count };
}

const MAX_LISTED = 100;

/** Selects deliveries that are waiting, or that have failed and can be retried, except those of updates. */
const isUnsent: Filter = (where) =>
  where.and([where('kind', '<>', 'update'), where.or([where('state', '=', 'waiting'), isRetryable(where)])]);

type Filter = (where: ExpressionBuilder<Schema, 'deliveries'>) => Expression<SqlBool>;

/** Reads everything that `listUnsent` lists. */
export function readUnsent(store: Store): AsyncGenerator<Delivery[]> {
  return readDeliveries(store, isUnsent);
}

/** Reads the emails of an update that can be retried. */
export function readRetryableOfUpdate(store: Store, updateId: string): AsyncGenerator<Delivery[]> {
  return readDeliveries(store, (where) => where.and([where('update_id', '=', updateId), isRetryableOfUpdate(where)]));
}

/** Reads all deliveries in these states. */
export function readUnsentDeliveries(store: Store, states: Delivery['state'][]): AsyncGenerator<Delivery[]> {
  // The expression makes SQLite walk the ids instead of sorting all matches for each batch.
  return readDeliveries(store, () => sql<boolean>`state || '' in (${sql.join(states)})`);
}

/** Reads a thousand at a time, in order of their ids, and therefore of creation. */
function readDeliveries({ db }: Store, filter: Filter): AsyncGenerator<Delivery[]> {
  return readInBatches((afterId) =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where(filter)
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(READ_BATCH)
      .execute(),
  );
}
