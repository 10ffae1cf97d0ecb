import type { Kysely } from 'kysely';
import { iso } from '#store/iso-time.ts';
import type { DeliveryKind, Schema, SentUpdate } from '#store/schema.ts';
import { countForUpdates, type SendingCaps } from './sending-time.ts';
import { showSendTime } from './send-time.ts';

/**
 * Why the mails of an update wait, and until when, for the owner.
 * @returns undefined when nothing of it waits
 */
export async function describeWaiting(
  db: Kysely<Schema>,
  update: SentUpdate,
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
  if (next === undefined) return undefined;
  if (update.state === 'paused') return 'the update is paused, until you resume it';
  const until = `until ${showSendTime(Math.max(Date.parse(next.due_at), Date.parse(update.send_at)))}`;
  if (update.state === 'scheduled') return `its time has not come, ${until}`;
  if (Date.parse(next.due_at) <= Date.now()) return describeLimits(db, caps);
  return next.last_error === null ? `each mailbox gets one mail a day, ${until}` : `${next.last_error}, ${until}`;
}

async function describeLimits(db: Kysely<Schema>, { hourlyCap, dailyCap }: SendingCaps): Promise<string> {
  const until =
    (await findFreeTime(db, { windowMs: HOUR_MS, limit: hourlyCap })) ??
    (await findFreeTime(db, { windowMs: HOUR_MS, limit: countForUpdates(hourlyCap), kind: 'update' }));
  if (until !== undefined) return `the mails of this hour are used up (MAIL_HOURLY_CAP=${hourlyCap}), until ${until}`;
  const untilTomorrow = dailyCap && (await findFreeTime(db, { windowMs: 24 * HOUR_MS, limit: dailyCap }));
  return untilTomorrow
    ? `the mails of this day are used up (MAIL_DAILY_CAP=${dailyCap}), until ${untilTomorrow}`
    : 'it is being sent now';
}

/** @returns when the first place of a used-up limit is free again; undefined while it is not used up */
async function findFreeTime(
  db: Kysely<Schema>,
  { windowMs, limit, kind }: { windowMs: number; limit: number; kind?: DeliveryKind },
): Promise<string | undefined> {
  const { count, first } = await db
    .selectFrom('sent_mails')
    .select(({ fn }) => [fn.countAll<number | string>().as('count'), fn.min('taken_at').as('first')])
    .where('taken_at', '>', iso(Date.now() - windowMs))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .executeTakeFirstOrThrow();
  return first === null || Number(count) < limit ? undefined : showSendTime(Date.parse(first) + windowMs);
}

const HOUR_MS = 3600_000;
