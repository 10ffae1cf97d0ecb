import type { QueryCreator, Transaction } from 'kysely';
import { dropWaitingOfUpdate } from '../deliveries/queue/delivery-state.ts';
import { toIso } from '../database/iso-time.ts';
import { locksRows } from '../database/lock-rows.ts';
import { GIVE_UP_AFTER_MS, queueAlert } from '../deliveries/queue/new-delivery.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema, SentUpdate } from '../database/schema.ts';
import { estimateSendingMs, type SendingCaps } from '../deliveries/queue/mail-limits.ts';
import { OPEN_DESK } from '../mails/notices.ts';
import { countByState } from './audience.ts';

/*
 * A new update is queueing (queue-update.ts); from then on, only this file sets its state. docs/decisions/delivery.md
 * shows the transitions.
 */

type Db = QueryCreator<Schema>;
type State = SentUpdate['state'];

/** The allowed transitions. */
export const UPDATE_TRANSITIONS = [
  ['queueing', 'sending'],
  ['scheduled', 'queueing'],
  ['scheduled', 'missed'],
  ['sending', 'sent'],
  ['sent', 'sending'],
  ['queueing', 'paused'],
  ['scheduled', 'paused'],
  ['sending', 'paused'],
  ['paused', 'queueing'],
  ['paused', 'scheduled'],
  ['paused', 'sending'],
  ['queueing', 'cancelled'],
  ['scheduled', 'cancelled'],
  ['sending', 'cancelled'],
  ['paused', 'cancelled'],
] as const satisfies [State, State][];

/** The states that may precede this one. */
type Before<To extends State> = Extract<(typeof UPDATE_TRANSITIONS)[number], readonly [unknown, To]>[0];

/** The states of an update that is going out, or will. */
export const ACTIVE = ['queueing', 'scheduled', 'sending'] as const satisfies State[];

/** The states of an update that ended before everybody received it. */
export const ENDED: State[] = ['cancelled', 'missed'];

/** Reads an update, and locks it until the transaction ends. */
export function lockUpdate(tx: Transaction<Schema>, id: string): Promise<SentUpdate | undefined> {
  return tx
    .selectFrom('updates')
    .selectAll()
    .where('id', '=', id)
    .$if(locksRows(tx), (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Starts an update once all its recipients are queued. */
export async function finishQueueing(tx: Transaction<Schema>, { id }: SentUpdate): Promise<void> {
  await change(tx, ['queueing'], 'sending').where('id', '=', id).execute();
}

/** Starts queueing the recipients of a scheduled update. @returns whether it was scheduled */
export async function beginUpdate(
  tx: Transaction<Schema>,
  id: string,
  recipients: Pick<SentUpdate, 'last_subscriber_id' | 'recipients'>,
): Promise<boolean> {
  const begun = await change(tx, ['scheduled'], 'queueing', recipients)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return begun !== undefined;
}

/** Ends a scheduled update that wasn't sent in time. @returns whether it was scheduled */
export async function missUpdate(tx: Transaction<Schema>, id: string, reason: string, now: number): Promise<boolean> {
  const missed = await change(tx, ['scheduled'], 'missed', { state_reason: reason, finished_at: toIso(now) })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (missed === undefined) return false;
  await dropWaitingOfUpdate(tx, id, now);
  return true;
}

/** Marks an update as sent if none of its emails is waiting or on its way. */
export async function finishUpdate(tx: Transaction<Schema>, id: string, now: number): Promise<void> {
  await change(tx, ['sending'], 'sent', { finished_at: toIso(now) })
    .where('id', '=', id)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('deliveries.id')
            .where('deliveries.state', 'in', ['waiting', 'sending'])
            .where('deliveries.kind', '=', 'update')
            .where('deliveries.update_id', '=', id),
        ),
      ),
    )
    .execute();
}

/** Reopens a sent update, since some of its emails are being retried. */
export async function reopenUpdate(tx: Transaction<Schema>, id: string, now: number): Promise<void> {
  await change(tx, ['sent'], 'sending', { finished_at: null, resumed_at: toIso(now) })
    .where('id', '=', id)
    .execute();
}

/**
 * Pauses an update until it is resumed. Emails that the mail server already has will still arrive.
 * @param reason shown to the owner
 * @returns whether it was being queued, scheduled or being sent
 */
export async function pauseUpdate(db: Db, id: string, reason: string): Promise<boolean> {
  const paused = await change(db, ACTIVE, 'paused', { state_reason: reason })
    .set((update) => ({ paused_from: update.ref('state') }))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return paused !== undefined;
}

/**
 * Pauses an update, and emails the owner why.
 * @param now milliseconds since 1970
 * @returns whether it was being queued, scheduled or being sent
 */
export async function pauseWithAlert(
  tx: Transaction<Schema>,
  { id, file }: Pick<SentUpdate, 'id' | 'file'>,
  reason: string,
  now: number,
): Promise<boolean> {
  if (!(await pauseUpdate(tx, id, reason))) return false;
  const text = `${file} is paused: ${reason}\n\nTo see whose emails were rejected, or to resume or cancel the update, ${OPEN_DESK}.\n`;
  await queueAlert(tx, { subject: 'Your update is paused', text }, now);
  return true;
}

/**
 * Resumes a paused update for the people who haven't received it, at once or at its scheduled time.
 * @param now milliseconds since 1970
 * @returns its new state; undefined if it wasn't paused
 */
export async function resumeUpdate(
  store: Store,
  id: string,
  caps: SendingCaps,
  now: number,
): Promise<State | undefined> {
  return store.transaction(async (tx) => {
    const update = await lockUpdate(tx, id);
    if (update?.state !== 'paused') return undefined;
    const sendAt = Math.max(now, Date.parse(update.send_at));
    // A scheduled update starts automatically once it is due.
    const state =
      update.paused_from === 'queueing' || update.paused_from === 'scheduled' ? update.paused_from : 'sending';
    const give_up_at = toIso(sendAt + GIVE_UP_AFTER_MS + estimateSendingMs(update.recipients, caps));
    const times = { resumed_at: toIso(now), send_at: toIso(sendAt), give_up_at };
    await change(tx, ['paused'], state, { paused_from: null, state_reason: null, ...times })
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

/** How many people have received a cancelled update, how many may still get it, and how many won't. */
export type Cancelled = Record<'sent' | 'sending' | 'dropped', number>;

/** Cancels an update. @returns undefined if it had already ended */
export async function cancelUpdate(store: Store, id: string, now: number): Promise<Cancelled | undefined> {
  return store.transaction(async (tx) => {
    const before = await lockUpdate(tx, id);
    const cancelled = await change(tx, [...ACTIVE, 'paused'], 'cancelled', {
      state_reason: null,
      finished_at: toIso(now),
    })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (cancelled === undefined) return undefined;
    await dropWaitingOfUpdate(tx, id, now);
    const { sent, sending, dropped } = await countByState(tx, [id]);
    const isUnqueued =
      before?.state === 'scheduled' || (before?.state === 'paused' && before.paused_from === 'scheduled');
    return { sent, sending, dropped: isUnqueued ? before.recipients : dropped };
  });
}

/** Changes an update, unless its state has changed in the meantime. */
function change<To extends State>(
  db: Db,
  from: readonly Before<To>[],
  state: To,
  fields: Partial<Omit<SentUpdate, 'state'>> = {},
) {
  return db
    .updateTable('updates')
    .set({ ...fields, state })
    .where('state', 'in', from);
}
