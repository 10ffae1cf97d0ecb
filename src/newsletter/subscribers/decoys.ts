import type { Kysely } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';

/**
 * Counts a sign-up that was dropped because its decoy field was filled in. The owner sees how many there were, since a
 * password manager may be the cause. Only the day is stored.
 * @param now milliseconds since 1970
 */
export async function countDecoy(store: Store, now: number): Promise<void> {
  await store.transaction(async (tx) => {
    await tx
      .deleteFrom('decoys')
      .where('day', '<', toDay(now - DAYS_KEPT * DAY_MS))
      .execute();
    await tx
      .insertInto('decoys')
      .values({ day: toDay(now), count: 1 })
      .onConflict((conflict) =>
        conflict.column('day').doUpdateSet((stored) => ({ count: stored('decoys.count', '+', 1) })),
      )
      .execute();
  });
}

/**
 * Tells the owner how many sign-ups were dropped; undefined if none were.
 * @param now milliseconds since 1970
 */
export async function describeDecoys(db: Kysely<Schema>, now: number): Promise<string | undefined> {
  const { count } = await db
    .selectFrom('decoys')
    .select((select) => select.fn.sum<string | null>('count').as('count'))
    .where('day', '>', toDay(now - 7 * DAY_MS))
    .executeTakeFirstOrThrow();
  if (Number(count) === 0) return undefined;
  const what = Number(count) === 1 ? '1 sign-up was taken for a robot' : `${count} sign-ups were taken for robots`;
  return `${what} this week: a hidden field was filled in, which some password managers do.`;
}

const DAY_MS = 24 * 3600_000;
const DAYS_KEPT = 30;

/** In UTC. */
function toDay(time: number): string {
  return toIso(time).slice(0, 10);
}
