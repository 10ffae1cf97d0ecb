import { type Kysely, sql } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { onOwnersClock, startOfDay } from '#shared/owners-clock.ts';
import { iso } from '#store/iso-time.ts';
import type { Schema } from '#store/schema.ts';

/** How many people who are kept signed up in a week that began on a Monday, in milliseconds since 1970. */
export type WeekOfSignUps = { from: number; count: number };

/**
 * Sign-ups of the last twelve weeks on the owner's clock, the oldest first, the last one this week.
 * @param now milliseconds since 1970
 */
export async function readSignUpsByWeek(db: Kysely<Schema>, now: number): Promise<WeekOfSignUps[]> {
  const today = onOwnersClock(now).toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const weeks = Array.from({ length: WEEKS }, (_, index) => startOfDay(monday.subtract({ weeks: WEEKS - 1 - index })));
  const hour = sql<string>`substr(created_at, 1, 13)`;
  const rows = await db
    .selectFrom('subscribers')
    .select((select) => [hour.as('hour'), select.fn.countAll<number | string>().as('count')])
    .where('created_at', '>=', iso(weeks[0] ?? now))
    .groupBy(hour)
    .execute();
  const counts = rows.map(({ hour: at, count }) => ({
    at: Temporal.Instant.from(`${at}:00Z`).epochMilliseconds,
    count: Number(count),
  }));
  return weeks.map((from, index) => {
    const to = weeks[index + 1] ?? Infinity;
    return { from, count: counts.reduce((sum, { at, count }) => (at >= from && at < to ? sum + count : sum), 0) };
  });
}

const WEEKS = 12;
