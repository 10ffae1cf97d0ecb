import { type Kysely, sql } from 'kysely';
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
  const changes = [...(await countDays(db, 'joined')), ...(await countDays(db, 'gone'))];
  return Array.from({ length: WEEKS }, (_, week) => {
    const day = iso(now - (WEEKS - 1 - week) * WEEK_MS).slice(0, 10);
    return { day, people: changes.reduce((sum, change) => (change.day <= day ? sum + change.by : sum), 0) };
  });
}

const WEEKS = 53;
const WEEK_MS = 7 * 24 * 3600_000;

async function countDays(db: Kysely<Schema>, what: 'joined' | 'gone'): Promise<{ day: string; by: number }[]> {
  const { column, states } = CHANGES[what];
  const day = sql<string>`substr(${sql.ref(column)}, 1, 10)`;
  const rows = await db
    .selectFrom('subscribers')
    .select((select) => [day.as('day'), select.fn.countAll<number | string>().as('count')])
    .where('state', 'in', states)
    .groupBy(day)
    .execute();
  const sign = what === 'joined' ? 1 : -1;
  return rows.map((row) => ({ day: row.day, by: sign * Number(row.count) }));
}

/** Who has not confirmed has never been on the list. */
const CHANGES = {
  joined: { column: 'created_at', states: ['subscribed', 'unsubscribed', 'undeliverable'] },
  gone: { column: 'state_changed_at', states: ['unsubscribed', 'undeliverable'] },
} as const;
