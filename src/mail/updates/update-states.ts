import type { Kysely, QueryCreator, Transaction } from 'kysely';
import { toIso } from '#store/iso-time.ts';
import { GIVE_UP_AFTER_MS, queueAlert } from '#store/new-delivery.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, Schema, SentUpdate } from '#store/schema.ts';
import { countByState, countReaders } from './audience.ts';
import { sendingTimeMs, type SendingCaps } from '../queue/mail-limits.ts';
import { OPEN_DESK } from '../templates/notices.ts';

/** How far an update has come. */
export type UpdateProgress = SentUpdate &
  Record<Delivery['state'], number> & {
    /** Why mails failed, the most frequent reason first. */
    reasons: { reason: string; count: number }[];
  };

/** All updates, the newest first. */
export async function listUpdates(db: Kysely<Schema>): Promise<SentUpdate[]> {
  return db.selectFrom('updates').selectAll().orderBy('queued_at', 'desc').execute();
}

/** Reads an update, and keeps others from changing it until the transaction ends. */
export function lockUpdate(tx: Transaction<Schema>, id: string): Promise<SentUpdate | undefined> {
  return tx.selectFrom('updates').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function readProgress(db: Kysely<Schema>, update: SentUpdate): Promise<UpdateProgress> {
  const counts = await countByState(db, [update.id]);
  const reasons = await db
    .selectFrom('deliveries')
    .select((select) => ['last_error', select.fn.countAll<number>().as('count')])
    .where('update_id', '=', update.id)
    .where('state', '=', 'failed')
    .groupBy('last_error')
    .orderBy('count', 'desc')
    .limit(MAX_REASONS)
    .execute();
  return {
    ...update,
    ...counts,
    sent: counts.sent + (await countReaders(db, [update.id])),
    reasons: reasons.map((row) => ({ reason: row.last_error ?? 'unknown', count: row.count })),
  };
}

const MAX_REASONS = 5;

/** The states of an update that goes out, or will. */
export const OPEN: SentUpdate['state'][] = ['queueing', 'scheduled', 'sending'];

/** The states of an update that ended before everybody had it. */
export const OVER: SentUpdate['state'][] = ['cancelled', 'missed'];

/** Describes for the owner, after their number, the people whose mails were dropped. */
export function describeDropped(state: SentUpdate['state']): string {
  return OVER.includes(state) ? 'will not get it' : 'unsubscribed before their turn';
}

/**
 * Stops an update until it is resumed. Mails that are with the mail server at this moment still arrive.
 * @param reason shown to the owner
 * @returns whether it was under way or scheduled
 */
export async function pauseUpdate(db: QueryCreator<Schema>, id: string, reason: string): Promise<boolean> {
  const paused = await db
    .updateTable('updates')
    .set((update) => ({ paused_from: update.ref('state'), state: 'paused' as const, state_reason: reason }))
    .where('id', '=', id)
    .where('state', 'in', OPEN)
    .returning('id')
    .executeTakeFirst();
  return paused !== undefined;
}

/**
 * Pauses an update, and writes to the owner why.
 * @param now milliseconds since 1970
 * @param restored how many people were undeliverable for a moment, and are subscribed again
 * @returns whether it was under way or scheduled
 */
export async function pauseWithAlert(
  tx: Transaction<Schema>,
  { id, file }: Pick<SentUpdate, 'id' | 'file'>,
  reason: string,
  now: number,
  restored = 0,
): Promise<boolean> {
  if (!(await pauseUpdate(tx, id, reason))) return false;
  const text = [
    `${file} is paused: ${reason}`,
    ...(restored > 0 ? [`Refused, and still subscribed: ${restored}.`] : []),
    `To see who was refused and try them again, or to go on or cancel, ${OPEN_DESK}.`,
  ].join('\n\n');
  await queueAlert(tx, { subject: 'The sending of your update is paused', text: `${text}\n` }, now);
  return true;
}

/**
 * Goes on with a paused update for the people who have not had it, at once or at its time.
 * @param now milliseconds since 1970
 * @returns the state that it has now; undefined where it was not paused
 */
export async function resumeUpdate(
  store: Store,
  id: string,
  caps: SendingCaps,
  now: number,
): Promise<SentUpdate['state'] | undefined> {
  return store.transaction(async (tx) => {
    const update = await lockUpdate(tx, id);
    if (update?.state !== 'paused') return undefined;
    const sendAt = Math.max(now, Date.parse(update.send_at));
    const begins = sendAt > now ? 'scheduled' : 'sending';
    const state = update.paused_from === 'queueing' ? 'queueing' : begins;
    const give_up_at = toIso(sendAt + GIVE_UP_AFTER_MS + sendingTimeMs(update.recipients, caps));
    await tx
      .updateTable('updates')
      .set({ state, paused_from: null, state_reason: null, resumed_at: toIso(now), send_at: toIso(sendAt), give_up_at })
      .where('id', '=', id)
      .execute();
    await tx
      .updateTable('deliveries')
      .set({ give_up_at })
      .where('update_id', '=', id)
      .where('state', '=', 'waiting')
      .execute();
    return state;
  });
}

/** How many people had a cancelled update, how many may get it now, and how many will not. */
export type Cancelled = Record<'sent' | 'sending' | 'dropped', number>;

/** Ends an update for good. @returns undefined where it had ended before */
export async function cancelUpdate(store: Store, id: string, now: number): Promise<Cancelled | undefined> {
  return store.transaction(async (tx) => {
    if (!(await endUpdate(tx, id, { state: 'cancelled', state_reason: null }, now))) return undefined;
    const { sent, sending, dropped } = await countByState(tx, [id]);
    return { sent, sending, dropped };
  });
}

/** Ends an update, and drops its waiting mails. @returns false where it had ended before */
export async function endUpdate(
  tx: Transaction<Schema>,
  id: string,
  end: Pick<SentUpdate, 'state' | 'state_reason'>,
  now: number,
): Promise<boolean> {
  const ended = await tx
    .updateTable('updates')
    .set({ ...end, finished_at: toIso(now) })
    .where('id', '=', id)
    .where('state', 'in', [...OPEN, 'paused'])
    .returning('id')
    .executeTakeFirst();
  if (ended === undefined) return false;
  await tx
    .updateTable('deliveries')
    .set({ state: 'dropped', finished_at: toIso(now) })
    .where('update_id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
  return true;
}
