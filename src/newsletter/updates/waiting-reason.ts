import type { Kysely } from 'kysely';
import type { Schema, SentUpdate } from '../database/schema.ts';
import { readOutage } from '../deliveries/smtp/mail-outage.ts';
import { findUsedUpCap, type SendingCaps } from '../deliveries/queue/mail-limits.ts';
import { formatMoment } from '../format.ts';
import { isServerRunning } from './update-schedule.ts';

/**
 * Tells the owner why an update's emails are waiting, and until when.
 * @returns undefined if none are waiting
 */
export async function describeWaiting(
  db: Kysely<Schema>,
  update: Pick<SentUpdate, 'id' | 'state' | 'send_at'>,
  caps: SendingCaps,
): Promise<string | undefined> {
  const next = await db
    .selectFrom('deliveries')
    .select(['due_at', 'last_error'])
    .where('update_id', '=', update.id)
    .where('state', '=', 'waiting')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  if (update.state === 'scheduled') return `it is scheduled for ${formatMoment(Date.parse(update.send_at))}`;
  if (next === undefined) return undefined;
  if (update.state === 'paused') return 'the update is paused, until you resume it';
  const until = `until ${formatMoment(Math.max(Date.parse(next.due_at), Date.parse(update.send_at)))}`;
  if (!(await isServerRunning(db, Date.now()))) return 'no server is running; sending continues when one starts';
  const outage = await readOutage(db);
  if (outage?.until !== undefined) {
    return `the limit of your mail account has been reached, and sending continues automatically after ${formatMoment(Date.parse(outage.until))}: ${outage.reason}`;
  }
  if (outage !== undefined)
    return `no email has gone out since ${formatMoment(Date.parse(outage.since))}: ${outage.reason}`;
  if (Date.parse(next.due_at) <= Date.now()) return describeCap(db, caps);
  return next.last_error === null
    ? `the next people to get it had another email from you in the last day, so they wait ${until}`
    : `${next.last_error}, ${until}`;
}

async function describeCap(db: Kysely<Schema>, caps: SendingCaps): Promise<string> {
  const usedUp = await findUsedUpCap(db, caps, Date.now(), true);
  if (usedUp === undefined) return 'it is being sent now';
  const { period, setting, freeAt } = usedUp;
  return `this ${period}’s limit has been reached (${setting}), and no more can be sent until ${formatMoment(freeAt)}`;
}
