import type { QueryCreator, Transaction } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';
import { dropWaitingNotices } from '../deliveries/queue/delivery-state.ts';
import { queueAlert } from '../deliveries/queue/new-delivery.ts';
import { OPEN_DESK } from '../mails/notices.ts';

/** Reads the ISO time since which far more people than usual have been signing up; undefined if they aren't. */
export function readFlood(db: QueryCreator<Schema>): Promise<string | undefined> {
  return readMetadata(db, FLOOD);
}

/**
 * Ends the flood after the owner has said that the sign-ups are real: new ones are welcomed without confirming. From
 * then on, as many as in the last hour count as usual.
 * @param now milliseconds since 1970
 */
export async function endFlood(store: Store, now: number): Promise<void> {
  await store.transaction(async (tx) => {
    await writeMetadata(tx, ACCEPTED, JSON.stringify({ at: now, count: await countSignUps(tx, now) }));
    await tx.deleteFrom('metadata').where('name', '=', FLOOD).execute();
  });
}

/**
 * Whether new sign-ups must be confirmed because far more than usual arrived within an hour: somebody may be filling in
 * other people's addresses, who would get emails that they didn't ask for. The first time, an alert replaces the hour’s
 * waiting notices. This lasts until the owner ends it.
 * @param now milliseconds since 1970
 */
export async function isFlooded(tx: Transaction<Schema>, now: number): Promise<boolean> {
  if ((await readFlood(tx)) !== undefined) return true;
  const count = await countSignUps(tx, now);
  if (count < FEW) return false;
  const usual = await findUsual(tx, now);
  if (count < FAR_MORE * usual) return false;
  await writeMetadata(tx, FLOOD, toIso(now));
  await dropWaitingNotices(tx, toIso(now - HOUR_MS), now);
  const text = `${count} people signed up within an hour; in the last four weeks it was at most ${usual}. Somebody may be filling in other people’s addresses. Until you say otherwise, new sign-ups are asked to confirm by email, and you will hear of each person once they have confirmed. If these sign-ups are real, ${OPEN_DESK} and say so.\n`;
  await queueAlert(tx, { subject: 'Far more sign-ups than usual', text }, now);
  return true;
}

async function countSignUps(tx: Transaction<Schema>, now: number): Promise<number> {
  const { count } = await tx
    .selectFrom('subscribers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('created_at', '>', toIso(now - HOUR_MS))
    .executeTakeFirstOrThrow();
  return count;
}

/** Finds how many people signed up in the busiest hour of four weeks. Imported people get no email, and don't count. */
async function findUsual(tx: Transaction<Schema>, now: number): Promise<number> {
  const busiest = await tx
    .selectFrom('deliveries')
    .select(({ fn, val }) => [
      fn<string>('substr', ['queued_at', val(1), val(HOUR_LENGTH)]).as('hour'),
      fn.countAll<number>().as('count'),
    ])
    .where('kind', 'in', ['welcome', 'confirmation'])
    .where('queued_at', '>', toIso(now - MONTH_MS))
    .where('queued_at', '<=', toIso(now - HOUR_MS))
    .groupBy('hour')
    .orderBy('count', 'desc')
    .limit(1)
    .executeTakeFirst();
  const accepted = JSON.parse((await readMetadata(tx, ACCEPTED)) ?? 'null') as { at: number; count: number } | null;
  const isRecent = accepted !== null && accepted.at > now - MONTH_MS;
  return Math.max(busiest?.count ?? 0, isRecent ? accepted.count : 0);
}

const FLOOD = 'sign-up-flood';
const ACCEPTED = 'sign-up-flood-accepted';
const HOUR_MS = 3600_000;
const MONTH_MS = 28 * 24 * HOUR_MS;
/** A popular post may bring this many. */
const FEW = 20;
const FAR_MORE = 3;
/** The hour of an ISO time, such as `2026-11-28T20`. */
const HOUR_LENGTH = 13;
