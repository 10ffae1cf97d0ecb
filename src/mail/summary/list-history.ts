import { toIso } from '#store/iso-time.ts';
import type { Subscriber } from '#store/schema.ts';

/** How many people were subscribed at the end of a day, written as `2026-11-22` (UTC). */
export type ListSize = { day: string; people: number };

/** Counts people day by day; everybody is added once. */
type ListHistory = { add: (person: Counted) => void; readSizes: (now: number) => ListSize[] };

type Counted = Pick<Subscriber, 'state' | 'created_at' | 'state_changed_at'>;

/**
 * The size of the list at the end of each of the last 53 weeks, the oldest first, the last one today.
 * Only people who are still kept are counted, not those who were erased since.
 */
export function countListHistory(): ListHistory {
  const changes = new Map<string, number>();
  const change = (time: string, by: number) => {
    const day = time.slice(0, 10);
    changes.set(day, (changes.get(day) ?? 0) + by);
  };
  return {
    add: ({ state, created_at, state_changed_at }) => {
      // A person who has not confirmed has never been on the list.
      if (state === 'pending') return;
      change(created_at, 1);
      if (state !== 'subscribed') change(state_changed_at, -1);
    },
    readSizes: (now) =>
      Array.from({ length: WEEKS }, (_, week) => {
        const last = toIso(now - (WEEKS - 1 - week) * WEEK_MS).slice(0, 10);
        return { day: last, people: [...changes].reduce((sum, [day, by]) => (day <= last ? sum + by : sum), 0) };
      }),
  };
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
