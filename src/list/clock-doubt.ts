import type { Kysely } from 'kysely';
import { readMetadata, writeMetadata } from '#store/metadata.ts';
import type { Schema } from '#store/schema.ts';

/**
 * Compares the clock with the times that the store holds. Call this before deleting anything by age.
 * @param now milliseconds since 1970
 * @returns why the clock may be wrong; undefined when nothing is unusual
 */
export async function findClockDoubt(db: Kysely<Schema>, now: number): Promise<string | undefined> {
  const lastPurgedAt = await readLastPurge(db);
  const last = lastPurgedAt ?? (await readNewestSignUp(db));
  if (last === undefined) return undefined;
  const days = Math.trunc((now - Date.parse(last)) / DAY_MS);
  if (Math.abs(days) <= MAX_USUAL_DAYS) return undefined;
  const event = lastPurgedAt === undefined ? 'the newest sign-up' : 'the last purge';
  return `the clock shows a time ${Math.abs(days)} days ${days > 0 ? 'after' : 'before'} ${event}`;
}

/** When the last purge ran by a clock that was not in doubt, as an ISO time; undefined before the first. */
export async function readLastPurge(db: Kysely<Schema>): Promise<string | undefined> {
  return readMetadata(db, LAST_PURGE);
}

/** @param at an ISO time */
export async function recordPurge(db: Kysely<Schema>, at: string): Promise<void> {
  await writeMetadata(db, LAST_PURGE, at);
}

/** Before the first purge, the newest sign-up is the latest time that is known. */
async function readNewestSignUp(db: Kysely<Schema>): Promise<string | undefined> {
  const newest = db.selectFrom('subscribers').select('created_at').orderBy('created_at', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.created_at;
}

const LAST_PURGE = 'last-purge';

/** A server may be switched off for a month. */
const MAX_USUAL_DAYS = 31;

const DAY_MS = 24 * 3600_000;
