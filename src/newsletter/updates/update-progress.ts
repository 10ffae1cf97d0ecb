import type { Kysely } from 'kysely';
import type { Delivery, Schema, SentUpdate } from '../database/schema.ts';
import { type MailOutage, readOutage } from '../deliveries/smtp/mail-outage.ts';
import { countByState, countReaders } from './audience.ts';
import { ENDED } from './update-state.ts';

/** An update's progress. */
export type UpdateProgress = UpdateSummary &
  Record<Delivery['state'], number> & {
    /** Why emails failed, the most common reason first. */
    reasons: { reason: string; count: number }[];
    /** Set if the update is being sent, and the mail server accepts no email. */
    outage: MailOutage | undefined;
  };

/** Lists all updates, newest first. */
export async function listUpdates(db: Kysely<Schema>): Promise<UpdateSummary[]> {
  return db.selectFrom('updates').select(SUMMARY).orderBy('queued_at', 'desc').execute();
}

export async function findUpdate(db: Kysely<Schema>, id: string): Promise<UpdateSummary | undefined> {
  return db.selectFrom('updates').select(SUMMARY).where('id', '=', id).executeTakeFirst();
}

/** An update without its content. */
export type UpdateSummary = Omit<SentUpdate, 'html' | 'text' | 'source'>;

const SUMMARY = [
  'id',
  'file',
  'text_hash',
  'again',
  'subject',
  'roles',
  'last_subscriber_id',
  'recipients',
  'state',
  'paused_from',
  'state_reason',
  'queued_at',
  'send_at',
  'give_up_at',
  'resumed_at',
  'finished_at',
] as const satisfies (keyof UpdateSummary)[];

export async function readProgress(db: Kysely<Schema>, update: UpdateSummary): Promise<UpdateProgress> {
  const counts = await countByState(db, [update.id]);
  const reasons = await db
    .selectFrom('deliveries')
    .select((select) => ['last_error', select.fn.countAll<number>().as('count')])
    .where('state', '=', 'failed')
    .where('kind', '=', 'update')
    .where('update_id', '=', update.id)
    .groupBy('last_error')
    .orderBy('count', 'desc')
    .limit(MAX_REASONS)
    .execute();
  // It has no deliveries until it begins.
  const unbegun = update.last_subscriber_id === '' ? update.recipients : 0;
  const isOver = ENDED.includes(update.state);
  return {
    ...update,
    ...counts,
    waiting: counts.waiting + (isOver ? 0 : unbegun),
    dropped: counts.dropped + (isOver ? unbegun : 0),
    sent: counts.sent + (await countReaders(db, update.id)),
    reasons: reasons.map((row) => ({ reason: row.last_error ?? 'unknown', count: row.count })),
    outage: update.state === 'sending' ? await readOutage(db) : undefined,
  };
}

const MAX_REASONS = 5;

/** Tells the owner about the people whose emails were dropped: the end of a sentence that begins with their number. */
export function describeDropped(state: SentUpdate['state']): string {
  return ENDED.includes(state) ? 'will not get it' : 'unsubscribed or became undeliverable before their turn';
}
