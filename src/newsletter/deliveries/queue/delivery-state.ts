import type { ExpressionBuilder, QueryCreator } from 'kysely';
import { listKinds } from './delivery-kinds.ts';
import { toIso } from '../../database/iso-time.ts';
import type { Delivery, Fault, Schema } from '../../database/schema.ts';

/*
 * A new delivery waits (new-delivery.ts); from then on only this file writes its state. docs/decisions/delivery.md
 * shows the transitions.
 */

type Db = QueryCreator<Schema>;

/** The allowed transitions. */
export const DELIVERY_TRANSITIONS = [
  ['waiting', 'sending'],
  ['waiting', 'dropped'],
  ['waiting', 'failed'],
  ['sending', 'sent'],
  ['sending', 'waiting'],
  ['sending', 'failed'],
  ['sending', 'dropped'],
  ['sent', 'failed'],
  ['failed', 'waiting'],
] as const satisfies [Delivery['state'], Delivery['state']][];

/** Every state: a query that names them all can use the index that begins with the state. */
export const DELIVERY_STATES: Delivery['state'][] = ['waiting', 'sending', 'sent', 'failed', 'dropped'];

/** The states that may come before this one. */
type Before<To extends Delivery['state']> = Extract<(typeof DELIVERY_TRANSITIONS)[number], readonly [unknown, To]>[0];

/**
 * Claims a waiting delivery for this process.
 * @param leaseUntil when its process is considered dead, as an ISO time
 * @returns undefined if it no longer waits: a command or another server has changed it
 */
export function claimDelivery(
  db: Db,
  { id, attempts }: Pick<Delivery, 'id' | 'attempts'>,
  leaseUntil: string,
): Promise<Delivery | undefined> {
  return change(db, 'waiting', 'sending', { attempts: attempts + 1, lease_until: leaseUntil })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Drops a waiting delivery that must not go out any more. */
export async function dropDelivery(db: Db, id: string, now: number): Promise<void> {
  await change(db, 'waiting', 'dropped', { finished_at: toIso(now) })
    .where('id', '=', id)
    .execute();
}

/** Drops the emails that are waiting to go to one person. */
export async function dropWaitingOf(db: Db, subscriberId: string, now: number): Promise<void> {
  await dropMails(db, now).where('subscriber_id', '=', subscriberId).execute();
}

/** Drops the emails that are waiting to go to people who have unsubscribed. */
export async function dropMailsOfUnsubscribed(db: Db, now: number): Promise<void> {
  await dropMails(db, now)
    .where('subscriber_id', 'in', (select) =>
      select.selectFrom('subscribers').select('subscribers.id').where('subscribers.state', '=', 'unsubscribed'),
    )
    .execute();
}

function dropMails(db: Db, now: number) {
  const kinds = listKinds(({ recipient }) => recipient === 'subscriber');
  return change(db, 'waiting', 'dropped', { finished_at: toIso(now) }).where('kind', 'in', kinds);
}

/** Drops what is waiting to go to a sheet that has been disconnected. @returns how many */
export async function endSheetDeliveries(db: Db, now: number): Promise<number> {
  const kinds = listKinds(({ recipient }) => recipient === 'sheet');
  const { numUpdatedRows } = await change(db, 'waiting', 'dropped', { finished_at: toIso(now) })
    .where('kind', 'in', kinds)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Drops the waiting notices of single sign-ups. @param since when the first of them was queued, as an ISO time */
export async function dropWaitingNotices(db: Db, since: string, now: number): Promise<void> {
  await change(db, 'waiting', 'dropped', { finished_at: toIso(now) })
    .where('kind', '=', 'notice')
    .where('queued_at', '>', since)
    .execute();
}

/** Drops the waiting emails of an update that has ended. */
export async function dropWaitingOfUpdate(db: Db, updateId: string, now: number): Promise<void> {
  await change(db, 'waiting', 'dropped', { finished_at: toIso(now) })
    .where('update_id', '=', updateId)
    .execute();
}

/** Fails a waiting delivery whose time is up. */
export async function expireDelivery(db: Db, id: string, reason: string, now: number): Promise<void> {
  await change(db, 'waiting', 'failed', { finished_at: toIso(now), last_error: reason })
    .where('id', '=', id)
    .execute();
}

/**
 * Defers the due emails of an update to people at one provider.
 * @param held.patterns LIKE patterns that match every address at the provider
 * @param held.until milliseconds since 1970
 * @returns how many
 */
export async function holdBack(
  db: Db,
  held: { updateId: string; patterns: string[]; reason: string; until: number },
  now: number,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ due_at: toIso(held.until), last_error: held.reason })
    .where('update_id', '=', held.updateId)
    .where('state', '=', 'waiting')
    .where('due_at', '<=', toIso(now))
    .where('subscriber_id', 'in', (select) =>
      select
        .selectFrom('subscribers')
        .select('subscribers.id')
        .where((person) =>
          person.or(held.patterns.map((pattern) => person('subscribers.normalised_email', 'like', pattern))),
        ),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** How an attempt ended, and the columns that change with it. */
export type AttemptEnd = Partial<Omit<Delivery, 'state' | 'lease_until'>> & {
  state: 'sent' | 'waiting' | 'failed' | 'dropped';
};

/**
 * Ends an attempt.
 * @param attempt the delivery as it was when it was claimed; `leaseUntil` is set if its server seems to have died
 * @returns undefined if another server has taken over the delivery, or its own has renewed the lease
 */
export function endAttempt(
  db: Db,
  { id, attempts, leaseUntil }: Pick<Delivery, 'id' | 'attempts'> & { leaseUntil?: string | null | undefined },
  { state, ...fields }: AttemptEnd,
): Promise<Pick<Delivery, 'id' | 'interruptions'> | undefined> {
  return change(db, 'sending', state, { ...fields, lease_until: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .$if(leaseUntil !== undefined, (query) => query.where('lease_until', '=', leaseUntil ?? null))
    .returning(['id', 'interruptions'])
    .executeTakeFirst();
}

/** Fails a sent email that, according to a bounce report, was not delivered. */
export async function failSent(db: Db, id: string, reason: string, fault: Fault | null = null): Promise<void> {
  const last_error = `reported after it was sent: ${reason}`;
  await change(db, 'sent', 'failed', { last_error, fault }).where('id', '=', id).execute();
}

/**
 * Fails the emails that were waiting or being sent when a backup was made: they may have gone out since. Emails of
 * updates keep waiting, since restored updates are paused.
 * @returns how many
 */
export async function failRestored(db: Db, now: number): Promise<number> {
  // Dropped, so that these people are asked again: nobody is erased before they have been asked whether to stay.
  await change(db, 'waiting', 'dropped', { finished_at: toIso(now) })
    .where('kind', '=', 'renewal')
    .execute();
  const kinds = listKinds(({ recipient }) => recipient !== 'sheet').filter((kind) => kind !== 'update');
  const last_error = 'restored from a backup; may have been sent since';
  const fields = { lease_until: null, finished_at: toIso(now), last_error };
  const waiting = await change(db, 'waiting', 'failed', fields).where('kind', 'in', kinds).returning('id').execute();
  const sending = await change(db, 'sending', 'failed', fields).where('kind', 'in', kinds).returning('id').execute();
  return waiting.length + sending.length;
}

/**
 * Makes failed deliveries wait again, due now and with their full time. They keep their ids, since email programs
 * recognise a duplicate by its id, and their interruptions, since they may have arrived.
 * @param giveUpAt an ISO time; deliveries that already have a later one keep it
 * @returns how many
 */
export async function retryFailed(db: Db, ids: string[], giveUpAt: string, now: number): Promise<number> {
  if (ids.length === 0) return 0;
  const { numUpdatedRows } = await change(db, 'failed', 'waiting', {
    attempts: 0,
    due_at: toIso(now),
    finished_at: null,
    fault: null,
  })
    .set(noEarlierThan(giveUpAt))
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Makes waiting deliveries due now, and gives them their full time again. @returns how many */
export async function hastenWaiting(db: Db, ids: string[], giveUpAt: string, now: number): Promise<number> {
  if (ids.length === 0) return 0;
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ attempts: 0, due_at: toIso(now) })
    .set(noEarlierThan(giveUpAt))
    .where('id', 'in', ids)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

function noEarlierThan(giveUpAt: string) {
  return ({ case: when, ref }: ExpressionBuilder<Schema, 'deliveries'>) => ({
    give_up_at: when().when('give_up_at', '>', giveUpAt).then(ref('give_up_at')).else(giveUpAt).end(),
  });
}

/** Changes only deliveries that are still in the state `from`. */
function change<To extends Delivery['state']>(
  db: Db,
  from: Before<To>,
  state: To,
  fields: Partial<Omit<Delivery, 'state'>>,
) {
  return db
    .updateTable('deliveries')
    .set({ ...fields, state })
    .where('state', '=', from);
}
