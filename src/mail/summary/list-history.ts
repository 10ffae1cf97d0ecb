import { type Kysely, sql } from 'kysely';
import type { SubscriberState } from '#list/read-subscribers.ts';
import { iso } from '#store/iso-time.ts';
import type { Schema } from '#store/schema.ts';

/** How many people were subscribed at the end of a day, such as `2026-11-22` (UTC). */
export type ListSize = { day: string; people: number };

/**
 * The size of the list at the end of each of the last 53 weeks, the oldest first, the last one today.
 * It is made of the people who are kept: those who were erased since are in none of them.
 * @param now milliseconds since 1970
 */
export async function readListHistory(db: Kysely<Schema>, now: number): Promise<ListSize[]> {
  // A person who has not confirmed has never been on the list.
  const joined = await countByDay(db, 'created_at', ['subscribed', 'unsubscribed', 'undeliverable']);
  const left = await countByDay(db, 'state_changed_at', ['unsubscribed', 'undeliverable']);
  return Array.from({ length: WEEKS }, (_, week) => {
    const day = iso(now - (WEEKS - 1 - week) * WEEK_MS).slice(0, 10);
    return { day, people: countUntil(joined, day) - countUntil(left, day) };
  });
}

type DayCount = { day: string; count: number | string };

function countByDay(
  db: Kysely<Schema>,
  time: 'created_at' | 'state_changed_at',
  states: SubscriberState[],
): Promise<DayCount[]> {
  return db
    .selectFrom('subscribers')
    .select((select) => [
      sql<string>`substr(${sql.ref(time)}, 1, 10)`.as('day'),
      select.fn.countAll<number | string>().as('count'),
    ])
    .where('state', 'in', states)
    .groupBy('day')
    .execute();
}

function countUntil(days: DayCount[], last: string): number {
  return days.reduce((sum, { day, count }) => (day <= last ? sum + Number(count) : sum), 0);
}

const WEEKS = 53;
const WEEK_MS = 7 * 24 * 3600_000;

/** The year as bars of text, about one a month, for readers of mail without pictures. */
export function drawBars(history: ListSize[]): string {
  const shown = history.filter((_, week) => (history.length - 1 - week) % WEEKS_APART === 0);
  const most = Math.max(1, ...shown.map(({ people }) => people));
  return shown
    .map(({ day, people }) => `${day}  ${'█'.repeat(Math.round((people / most) * WIDTH))} ${people}`.trimEnd())
    .join('\n');
}

const WEEKS_APART = 4;
/** In characters, so that a line fits on a phone. */
const WIDTH = 10;
