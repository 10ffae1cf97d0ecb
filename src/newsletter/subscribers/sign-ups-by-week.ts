import type { Kysely } from 'kysely';
import { onOwnersClock, startOfDay } from '#shared/owners-clock.ts';
import { toIso } from '../database/iso-time.ts';
import type { Schema } from '../database/schema.ts';
import { countPeople } from './read-subscribers.ts';

/** How many people signed up in a week and haven't been erased; `from` is its Monday, in milliseconds since 1970. */
export type WeekOfSignUps = { from: number; count: number };

/**
 * Counts the sign-ups of twelve weeks in the owner's time zone, oldest first; the last week is the current one.
 * @param now milliseconds since 1970
 */
export async function readSignUpsByWeek(db: Kysely<Schema>, now: number): Promise<WeekOfSignUps[]> {
  const today = onOwnersClock(now).toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const weeks: WeekOfSignUps[] = [];
  for (let week = 1 - WEEKS; week <= 0; week += 1) {
    const from = startOfDay(monday.add({ weeks: week }));
    const to = startOfDay(monday.add({ weeks: week + 1 }));
    const signedUp = db
      .selectFrom('subscribers')
      .where('created_at', '>=', toIso(from))
      .where('created_at', '<', toIso(to));
    weeks.push({ from, count: await countPeople(signedUp) });
  }
  return weeks;
}

const WEEKS = 12;
