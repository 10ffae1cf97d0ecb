import { toIso } from '#store/iso-time.ts';
import type { Subscriber } from '#store/schema.ts';
import { addTo, type Tally } from './tally.ts';

/** How many people were subscribed at the end of a day, written as `2026-11-22` (UTC). */
export type ListSize = { day: string; people: number };

/** Adds a person to the tally of how much the list grew on each day. Only people who are still kept are counted. */
export function addToHistory(
  changes: Tally,
  { state, created_at, state_changed_at }: Pick<Subscriber, 'state' | 'created_at' | 'state_changed_at'>,
): void {
  // A person who has not confirmed has never been on the list.
  if (state === 'pending') return;
  addTo(changes, created_at.slice(0, 10));
  if (state !== 'subscribed') addTo(changes, state_changed_at.slice(0, 10), -1);
}

/** The size of the list at the end of each of the last 53 weeks, the oldest first, the last one today. */
export function readSizes(changes: Tally, now: number): ListSize[] {
  return Array.from({ length: WEEKS }, (_, week) => {
    const last = toIso(now - (WEEKS - 1 - week) * WEEK_MS).slice(0, 10);
    return { day: last, people: [...changes].reduce((sum, [day, by]) => (day <= last ? sum + by : sum), 0) };
  });
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
