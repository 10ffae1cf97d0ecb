import type { Kysely } from 'kysely';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';

/**
 * Checks the clock against the last deletion by age. If that isn't between 0 and 31 days ago, the clock may be wrong,
 * or the server may have been off for a long time. In that case, records the time, and checks again the next day.
 * @param now milliseconds since 1970
 * @returns whether anything may be deleted by age
 */
export async function checkClock(store: Store, now: number): Promise<boolean> {
  const ageMs = await readAge(store, now);
  if (ageMs > BREAK_MS) await store.transaction((tx) => writeMetadata(tx, RETURNED, toIso(now)));
  if (ageMs >= 0 && ageMs <= MAX_AGE_MS) return true;
  await recordPurge(store, now);
  return false;
}

/**
 * The ISO time at which a server last started after being down for more than a week, during which links in emails
 * didn't work.
 */
export function readReturn(db: Kysely<Schema>): Promise<string | undefined> {
  return readMetadata(db, RETURNED);
}

/** Whether the last deletion was at least a day ago. Its time is in the store, so a restart doesn't begin a new day. */
export async function isDayOver(store: Store, now: number): Promise<boolean> {
  const ageMs = await readAge(store, now);
  return !(ageMs >= 0 && ageMs < DAY_MS);
}

/**
 * When people were last erased because of age, or the clock was last found to be wrong; undefined before the first
 * time.
 */
export function readLastPurge(db: Kysely<Schema>): Promise<string | undefined> {
  return readMetadata(db, LAST_PURGE);
}

export function recordPurge(store: Store, now: number): Promise<void> {
  return store.transaction((tx) => writeMetadata(tx, LAST_PURGE, toIso(now)));
}

/** @returns NaN before the first time */
async function readAge({ db }: Store, now: number): Promise<number> {
  return now - Date.parse((await readLastPurge(db)) ?? '');
}

const LAST_PURGE = 'last-purge';
const RETURNED = 'server-returned';

/** An hour less than a day, since the server checks once an hour. */
const DAY_MS = 23 * 3600_000;
const MAX_AGE_MS = 31 * 24 * 3600_000;
const BREAK_MS = 7 * 24 * 3600_000;
