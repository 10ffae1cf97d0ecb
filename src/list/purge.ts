import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { findClockDoubt, readLastPurge, recordPurge } from './clock-doubt.ts';
import { DELETE_PORTION, READ_PORTION, readInPortions, splitRows } from '#store/in-portions.ts';
import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema, Subscriber } from '#store/schema.ts';
import { type Leftover, lockPeople, removePeople, removeTraces } from './erase.ts';
import { countPeople, SUBSCRIBER_STATES } from './read-subscribers.ts';

/** Somebody whose retention period is over. */
export type Leaving = Pick<Subscriber, 'id' | 'address' | 'state' | 'engaged_at'>;

/** Why somebody's retention period is over, for the owner. */
export function describeReason({ state }: Leaving): string {
  return state === 'pending' ? 'not confirmed within 30 days' : 'two years without engagement';
}

/** How many people would go now, and why that needs the owner's word. */
export type PurgePlan = {
  leaving: number;
  /** When a purge was last made, as an ISO time; undefined before the first. */
  lastPurgedAt: string | undefined;
  /** Why nobody goes by the clock before the owner confirms the number; undefined when nothing is unusual. */
  doubt: string | undefined;
};

/** @param now milliseconds since 1970 */
export async function planPurge({ db }: Store, now: number): Promise<PurgePlan> {
  let [leaving, stale] = [0, 0];
  for (const state of SUBSCRIBER_STATES) {
    const due = await countPeople(selectLeaving(db, state, now));
    leaving += due;
    // A flood of sign-ups that nobody confirms is not the list, and must not hold up what is due.
    if (state !== 'pending') stale += due;
  }
  const people = await countPeople(db.selectFrom('subscribers'));
  const doubt = describeDoubt(await findClockDoubt(db, now), { people, leaving, stale });
  return { leaving, lastPurgedAt: await readLastPurge(db), doubt };
}

/**
 * Erases people whose retention period is over, a few at a time. A clock that is wrong must not erase the list: where
 * it is in doubt, or where many would go at once, nobody goes by the clock before the owner has confirmed how many.
 * @param options.outbox the folder of mails that are files
 * @param options.confirm called with how many would go, when the owner has been asked; throws unless she meant them
 * @returns how many were erased, how many would be, and the doubt that kept everybody else
 * @throws what `confirm` throws
 */
export async function purge(
  store: Store,
  options: {
    outbox: string;
    now: number;
    confirm?: ((leaving: number) => void) | undefined;
  },
): Promise<{ erased: number; leaving: number; doubt?: string; remaining: Leftover[] }> {
  const { outbox, now, confirm } = options;
  const { leaving, doubt } = await planPurge(store, now);
  confirm?.(leaving);
  const isHeld = doubt !== undefined && confirm === undefined;
  let erased = 0;
  if (!isHeld) {
    for await (const people of findLeaving(store.db, now)) {
      for (const some of splitRows(people, DELETE_PORTION)) {
        erased += await removeLeaving(store, some, now);
        await yieldToOthers();
      }
    }
    await store.transaction((tx) => recordPurge(tx, toIso(now)));
  }
  const remaining = await removeTraces(store, outbox);
  return { erased, leaving, remaining, ...(isHeld && { doubt }) };
}

/** @param typed the owner's number. @throws when it is not how many would go */
export function checkConfirmed(leaving: number, typed: string): void {
  if (typed === String(leaving)) return;
  throw new Error(`Expected ${leaving}, the number of people who would be erased now, but found "${typed}".`);
}

/** The question that the owner is asked when something is unusual. */
export function askToConfirm(doubt: string, leaving: number): string {
  return `Please confirm, since ${doubt}. If the clock is right and they should go: subscribers purge --confirm ${leaving}`;
}

/** The privacy policy: two years from the last engagement, calendar years. */
const KEEP_YEARS = 2;
const CONFIRM_WITHIN_MS = 30 * 24 * 3600_000;

/** The latest time of engagement that is too old to keep, as an ISO time. */
export function findRetentionLimit(now: number): string {
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() - KEEP_YEARS);
  return limit.toISOString();
}

/** People who would go now, by the thousand. @param now milliseconds since 1970 */
export async function* findLeaving(db: Kysely<Schema>, now: number): AsyncGenerator<Leaving[]> {
  for (const state of SUBSCRIBER_STATES) {
    yield* readInPortions<Leaving>((_, last) =>
      selectLeaving(db, state, now)
        .select(['id', 'address', 'state', 'engaged_at'])
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple('engaged_at', 'id'), '>', tuple(last?.engaged_at ?? '', last?.id ?? '')),
        )
        .orderBy('engaged_at')
        .orderBy('id')
        .limit(READ_PORTION)
        .execute(),
    );
  }
}

function selectLeaving(db: Kysely<Schema>, state: Subscriber['state'], now: number) {
  return db.selectFrom('subscribers').where('state', '=', state).where('engaged_at', '<', findLimit(state, now));
}

function findLimit(state: Subscriber['state'], now: number): string {
  return state === 'pending' ? toIso(now - CONFIRM_WITHIN_MS) : findRetentionLimit(now);
}

/** More than a tenth of the list and more than five people at once are unusual. */
const USUAL_PEOPLE = 5;
const USUAL_SHARE = 0.1;

function describeDoubt(
  clockDoubt: string | undefined,
  { people, leaving, stale }: Record<'people' | 'leaving' | 'stale', number>,
): string | undefined {
  if (clockDoubt !== undefined) return `${clockDoubt}, and ${leaving} of ${people} people would go`;
  if (stale > USUAL_PEOPLE && stale > people * USUAL_SHARE) return `${stale} of ${people} people would go at once`;
  return undefined;
}

/** Removes those of these people whose time is still over, in one transaction. @returns how many */
async function removeLeaving(store: Store, found: Leaving[], now: number): Promise<number> {
  return store.transaction(async (tx) => {
    const ids = found.map(({ id }) => id);
    const people = await lockPeople(store, tx).where('id', 'in', ids).orderBy('id').execute();
    const leaving = people.filter(({ state, engaged_at }) => engaged_at < findLimit(state, now));
    await removePeople(
      tx,
      leaving.map(({ id }) => id),
      now,
    );
    return leaving.length;
  });
}
