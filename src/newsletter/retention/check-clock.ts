import type { Kysely } from 'kysely';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';

/**
 * Checks the clock against the last deletion by age. If it isn't between 0 and 31 days ago, the clock may be wrong, or
 * the server was off for a long time: then this records the time, and decides again the next day.
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

/** When a server last ran again after a break of more than a week, as an ISO time: links in mails didn't work before. */
export function readReturn(db: Kysely<Schema>): Promise<string | undefined> {
  return readMetadata(db, RETURNED);
}

/** Whether the last deletion was a day ago. The store knows, so a restart doesn't begin a new day. */
export async function isDayOver(store: Store, now: number): Promise<boolean> {
  const ageMs = await readAge(store, now);
  return !(ageMs >= 0 && ageMs < DAY_MS);
}

/** When people were last erased by age, or the clock was last found to be wrong; undefined before the first time. */
export function readLastPurge(db: Kysely<Schema>): Promise<string | undefined> {
  return readMetadata(db, LAST_PURGE);
}

export function recordPurge(store: Store, now: number): Promise<void> {
  return store.transaction((tx) => writeMetadata(tx, LAST_PURGE, toIso(now)));
}

/** @returns NaN before the first */
async function readAge({ db }: Store, now: number): Promise<number> {
  return now - Date.parse((await readLastPurge(db)) ?? '');
}

const LAST_PURGE = 'last-purge';
const RETURNED = 'server-returned';

/** An hour less than a day, since the server looks once an hour. */
const DAY_MS = 23 * 3600_000;
const MAX_AGE_MS = 31 * 24 * 3600_000;
const BREAK_MS = 7 * 24 * 3600_000;
