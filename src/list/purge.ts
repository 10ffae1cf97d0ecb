import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { erasedAddressHash } from './address.ts';
import { findClockDoubt, readLastPurge, recordPurge } from './clock-doubt.ts';
import { DELETE_PORTION, READ_PORTION, readInPortions, splitRows } from '#store/in-portions.ts';
import { iso } from '#store/iso-time.ts';
import type { MailFiles } from '#store/outbox.ts';
import type { Store } from '#store/open-store.ts';
import type { Schema, Subscriber } from '#store/schema.ts';
import { type Leftover, lockPeople, removePeople, removeTraces } from './erase.ts';

const STALE = 'two years without engagement';
const UNCONFIRMED = 'not confirmed within 30 days';
/** The one reason that a wrong clock cannot cause. */
const BROUGHT_BACK = 'erased before, brought back by an import';

export type PurgeReason = typeof STALE | typeof UNCONFIRMED | typeof BROUGHT_BACK;

export type Leaving = {
  subscriber: Pick<Subscriber, 'id' | 'address' | 'normalised_address' | 'state' | 'engaged_at'>;
  reason: PurgeReason;
};

/** How many people would go now, and why that needs the owner's word. */
export type PurgePlan = {
  leaving: number;
  /** When a purge was last made, as an ISO time; undefined before the first. */
  lastPurgedAt: string | undefined;
  /** Why nobody goes by the clock before the owner confirms the number; undefined when nothing is unusual. */
  doubt: string | undefined;
};

/** @param now milliseconds since 1970 */
export async function planPurge(store: Store, secret: string, now: number): Promise<PurgePlan> {
  const counts = { people: 0, leaving: 0, stale: 0, broughtBack: 0 };
  for await (const { people, leaving } of readPeople(store.db, secret, now)) {
    counts.people += people;
    counts.leaving += leaving.length;
    counts.stale += leaving.filter(({ reason }) => reason === STALE).length;
    counts.broughtBack += leaving.filter(({ reason }) => reason === BROUGHT_BACK).length;
  }
  const doubt = describeDoubt(await findClockDoubt(store.db, now), counts);
  return { leaving: counts.leaving, lastPurgedAt: await readLastPurge(store.db), doubt };
}

/**
 * Erases people whose retention period is over, a few at a time. A clock that is wrong must not erase the list: where
 * it is in doubt, or where many would go at once, nobody goes by the clock before the owner has confirmed how many.
 * @param options.confirmed how many the owner wants to go, when she has been asked
 * @param options.onErased called after each transaction with the people it has erased, and with how many leave in all
 * @returns how many were erased, how many would be, and the doubt that kept everybody else
 * @throws when another number would go than the one confirmed
 */
export async function purge(
  store: Store,
  options: {
    secret: string;
    mailFiles: MailFiles;
    now: number;
    confirmed?: number | undefined;
    onErased?: (erased: Leaving[], total: number) => void;
  },
): Promise<{ erased: number; leaving: number; doubt?: string; remaining: Leftover[] }> {
  const { secret, mailFiles, now, confirmed } = options;
  const { leaving, doubt } = await planPurge(store, secret, now);
  if (confirmed !== undefined && confirmed !== leaving) {
    throw new Error(`Expected ${leaving}, the number of people who would be erased now, but found ${confirmed}.`);
  }
  const isHeld = doubt !== undefined && confirmed === undefined;
  const isGoing = ({ reason }: Leaving) => !isHeld || reason === BROUGHT_BACK;
  let erased = 0;
  if (leaving > 0) {
    for await (const removed of removeLeaving(store, secret, now, isGoing)) {
      erased += removed.length;
      options.onErased?.(removed, leaving);
    }
  }
  if (!isHeld) await store.transaction((tx) => recordPurge(tx, iso(now)));
  const remaining = await removeTraces(store, mailFiles);
  return { erased, leaving, remaining, ...(isHeld && { doubt }) };
}

/** The question that the owner is asked when something is unusual. */
export function askFor(doubt: string, leaving: number): string {
  return `Please confirm, since ${doubt}. If the clock is right and they should go: subscribers purge --confirm ${leaving}`;
}

/** People who would go now, by the thousand. @param now milliseconds since 1970 */
export async function* findLeaving(db: Kysely<Schema>, secret: string, now: number): AsyncGenerator<Leaving[]> {
  for await (const { leaving } of readPeople(db, secret, now)) yield leaving;
}

/** Erases at once the people who were erased before and are back without having signed up again since. */
export async function eraseBroughtBack(store: Store, secret: string, now: number): Promise<number> {
  let erased = 0;
  const isGoing = ({ reason }: Leaving) => reason === BROUGHT_BACK;
  for await (const removed of removeLeaving(store, secret, now, isGoing)) erased += removed.length;
  return erased;
}

/** Removes people a few at a time, and lets requests be answered between. */
async function* removeLeaving(
  store: Store,
  secret: string,
  now: number,
  isGoing: (each: Leaving) => boolean,
): AsyncGenerator<Leaving[]> {
  for await (const { leaving } of readPeople(store.db, secret, now)) {
    for (const some of splitRows(leaving.filter(isGoing), DELETE_PORTION)) {
      yield await removeUnlessBack(store, some, now);
      await yieldToOthers();
    }
  }
}

/** The privacy policy: two years from the last engagement, calendar years. */
const KEEP_YEARS = 2;
const CONFIRM_WITHIN_MS = 30 * 24 * 3600_000;

/** The latest time of engagement that is too old to keep, as an ISO time. */
export function retentionLimit(now: number): string {
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() - KEEP_YEARS);
  return limit.toISOString();
}

/** Reads everybody by the thousand. @returns how many were read, and those of them who would go */
async function* readPeople(
  db: Kysely<Schema>,
  secret: string,
  now: number,
): AsyncGenerator<{ people: number; leaving: Leaving[] }> {
  const [keptSince, confirmedSince] = [retentionLimit(now), iso(now - CONFIRM_WITHIN_MS)];
  const hasErasures = await readErasures(db).limit(1).executeTakeFirst();
  const portions = readInPortions((afterId) =>
    db
      .selectFrom('subscribers')
      .select(['id', 'address', 'normalised_address', 'state', 'engaged_at'])
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(READ_PORTION)
      .execute(),
  );
  for await (const people of portions) {
    const broughtBack = hasErasures === undefined ? new Set() : await findBroughtBack(db, people, secret);
    const leaving = people.flatMap((subscriber): Leaving[] => {
      if (broughtBack.has(subscriber.id)) return [{ subscriber, reason: BROUGHT_BACK }];
      const { state, engaged_at } = subscriber;
      if (state === 'pending' && engaged_at < confirmedSince) return [{ subscriber, reason: UNCONFIRMED }];
      return engaged_at < keptSince ? [{ subscriber, reason: STALE }] : [];
    });
    yield { people: people.length, leaving };
  }
}

function readErasures(db: Kysely<Schema>) {
  return db.selectFrom('consent_records').select(['address_hash', 'at']).where('address_hash', 'is not', null);
}

/** @returns ids of those who were erased and are back without having signed up again since */
async function findBroughtBack(
  db: Kysely<Schema>,
  people: Leaving['subscriber'][],
  secret: string,
): Promise<Set<string>> {
  const byHash = new Map(people.map((person) => [erasedAddressHash(person.normalised_address, secret), person.id]));
  const erasures = await readErasures(db)
    .where('address_hash', 'in', [...byHash.keys()])
    .execute();
  const broughtBack = new Set<string>();
  for (const { address_hash, at } of erasures) {
    const id = byHash.get(address_hash ?? '')!;
    const consent = await db
      .selectFrom('consent_records')
      .select('id')
      .where('subscriber_id', '=', id)
      .where('event', '=', 'given')
      .where('at', '>=', at)
      .limit(1)
      .executeTakeFirst();
    if (consent === undefined) broughtBack.add(id);
  }
  return broughtBack;
}

/** More than a tenth of the list and more than five people at once are unusual. */
const USUAL_PEOPLE = 5;
const USUAL_SHARE = 0.1;

function describeDoubt(
  clockDoubt: string | undefined,
  { people, leaving, stale, broughtBack }: Record<'people' | 'leaving' | 'stale' | 'broughtBack', number>,
): string | undefined {
  if (clockDoubt !== undefined) return `${clockDoubt}, and ${leaving - broughtBack} of ${people} people would go`;
  // A flood of sign-ups that nobody confirms is not the list, and must not hold up what is due.
  if (stale > USUAL_PEOPLE && stale > people * USUAL_SHARE) return `${stale} of ${people} people would go at once`;
  return undefined;
}

/** Removes people in one transaction. @returns those who have done nothing since they were read */
async function removeUnlessBack(store: Store, leaving: Leaving[], now: number): Promise<Leaving[]> {
  return store.transaction(async (tx) => {
    const ids = leaving.map(({ subscriber }) => subscriber.id);
    const current = await lockPeople(store, tx).where('id', 'in', ids).orderBy('id').execute();
    const byId = new Map(current.map((person) => [person.id, person]));
    const unchanged = leaving.filter(({ subscriber: { id, engaged_at, state } }) => {
      const person = byId.get(id);
      return person?.engaged_at === engaged_at && person.state === state;
    });
    await removePeople(
      tx,
      unchanged.map(({ subscriber }) => subscriber.id),
      now,
    );
    return unchanged;
  });
}
