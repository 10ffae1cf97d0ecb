import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { SelectQueryBuilder } from 'kysely';
import { findClockDoubt, readLastPurge, recordPurge } from './clock-doubt.ts';
import { DELETE_PORTION, READ_PORTION, readInPortions } from '#store/in-portions.ts';
import { toIso } from '#store/iso-time.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema, Subscriber } from '#store/schema.ts';
import { lockPeople, removePeople, removeTraces } from './erase.ts';
import { countPeople, SUBSCRIBER_STATES } from './read-subscribers.ts';

/** Why somebody's retention period is over, for the owner. */
export function describeReason({ state }: Subscriber): string {
  return state === 'pending' ? 'not confirmed within 30 days' : 'two years without engagement';
}

/** How many people would be erased now, and why the owner must confirm that. */
export type PurgePlan = {
  leaving: number;
  /** When a purge was last made, as an ISO time; undefined before the first. */
  lastPurgedAt: string | undefined;
  /** Why nobody is erased before the owner confirms the number; undefined when nothing is unusual. */
  doubt: string | undefined;
};

/** @param now milliseconds since 1970 */
export async function planPurge({ db }: Store, now: number): Promise<PurgePlan> {
  let [leaving, stale] = [0, 0];
  for (const state of SUBSCRIBER_STATES) {
    const due = await countPeople(selectLeaving(db.selectFrom('subscribers'), state, now));
    leaving += due;
    // A flood of sign-ups that nobody confirms is not the list, and must not hold up what is due.
    if (state !== 'pending') stale += due;
  }
  const people = await countPeople(db.selectFrom('subscribers'));
  const doubt = describeDoubt(await findClockDoubt(db, now), { people, leaving, stale });
  return { leaving, lastPurgedAt: await readLastPurge(db), doubt };
}

/**
 * Erases people after their retention period, a few at a time. A wrong clock must not erase the list: when it is in
 * doubt, or when many would be erased at once, nobody is erased before the owner has confirmed how many.
 * @param options.outbox the folder of mails that are files
 * @param options.confirmed the number that the owner typed
 * @returns how many were erased, how many would be, the doubt that kept everybody else, and whether mail files of those
 *   erased remain
 * @throws when `confirmed` is not how many would be erased
 */
export async function purge(
  store: Store,
  options: { outbox: string; now: number; confirmed?: string | undefined },
): Promise<{ erased: number; leaving: number; doubt?: string; filesRemain: boolean }> {
  const { outbox, now, confirmed } = options;
  const { leaving, doubt } = await planPurge(store, now);
  if (confirmed !== undefined && confirmed !== String(leaving)) {
    throw new Error(`Expected ${leaving}, the number of people who would be erased now, but found "${confirmed}".`);
  }
  const isHeld = doubt !== undefined && confirmed === undefined;
  let erased = 0;
  if (!isHeld) {
    for (const state of SUBSCRIBER_STATES) erased += await removeLeaving(store, state, now);
    await store.transaction((tx) => recordPurge(tx, toIso(now)));
  }
  return { erased, leaving, filesRemain: await removeTraces(store, outbox), ...(isHeld && { doubt }) };
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

/** Reads the people who would be erased now, by the thousand. @param now milliseconds since 1970 */
export async function* readLeaving({ db }: Store, now: number): AsyncGenerator<Subscriber[]> {
  for (const state of SUBSCRIBER_STATES) {
    yield* readInPortions<Subscriber>((_, last) =>
      selectLeaving(db.selectFrom('subscribers').selectAll(), state, now)
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

/** Erases people of one state, a few in each transaction. @returns how many */
async function removeLeaving(store: Store, state: Subscriber['state'], now: number): Promise<number> {
  let total = 0;
  for (let erased = DELETE_PORTION; erased === DELETE_PORTION; await yieldToOthers()) {
    erased = await store.transaction(async (tx) => {
      // The latest first: the index is in the order of engagement, and those to erase are near its end.
      const people = await selectLeaving(lockPeople(tx), state, now)
        .orderBy('engaged_at', 'desc')
        .limit(DELETE_PORTION)
        .execute();
      await removePeople(tx, people, now);
      return people.length;
    });
    total += erased;
  }
  return total;
}

type People<Row> = SelectQueryBuilder<Schema, 'subscribers', Row>;

function selectLeaving<Row>(people: People<Row>, state: Subscriber['state'], now: number): People<Row> {
  return people.where('state', '=', state).where('engaged_at', '<', findLimit(state, now));
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
