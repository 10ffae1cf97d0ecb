import { hash, randomBytes } from 'node:crypto';
import type { Visits } from '#store/schema.ts';
import { keyOf } from './stored-visits.ts';
import { dayAt, type VisitDay } from './visit-day.ts';
import { OTHER, type VisitOrigin } from './visit-origin.ts';

/** The day that is being counted. All that tells visitors apart lies here, in memory, and goes with the day. */
export type OpenDay = VisitDay & {
  /** Keys the hashes of visitors; the next day has another, so that no two days can be laid side by side. */
  salt: string;
  /** By their hash, those who were shown a page longest ago first. */
  visitors: Map<string, Visitor>;
  rows: Map<string, Visits>;
};

/** Somebody who was shown a page a short while ago. */
export type Visitor = {
  /** When the last page was shown, in milliseconds since 1970. */
  at: number;
  /** Where that page is counted. */
  row: Visits;
  /** Where the page is counted on which they came to the site. */
  arrival: Visits;
  hasSignedUp: boolean;
};

/**
 * @param now milliseconds since 1970
 * @param stored what the day has counted before a restart
 */
export function openDay(now: number, stored: Visits[]): OpenDay {
  const rows = stored.map((row) => [keyOf(row), { ...row, shown: 0, sign_ups: 0 }] as const);
  return { ...dayAt(now), salt: randomBytes(16).toString('base64'), visitors: new Map(), rows: new Map(rows) };
}

/** A hash that only this day's salt can make again: it tells one visitor from another and leads to neither. */
export function visitorHash({ salt }: OpenDay, address: string, agent: string): string {
  return hash('sha256', `${salt}\n${address}\n${agent}`, 'base64');
}

/** Whether a visitor was shown the same page, from the same place, less than a minute ago. */
export function isReload(visitor: Visitor, row: Visits, now: number): boolean {
  return visitor.row === row && now - visitor.at < RELOAD_MS;
}

const RELOAD_MS = 60_000;

/** @returns undefined for somebody new, and for whoever was last shown a page more than an hour ago */
export function findVisitor({ visitors }: OpenDay, id: string, now: number): Visitor | undefined {
  const visitor = visitors.get(id);
  return visitor !== undefined && now - visitor.at < VISIT_MS ? visitor : undefined;
}

/** Remembers somebody for an hour. */
export function keepVisitor({ visitors }: OpenDay, id: string, visitor: Visitor): void {
  // Set anew, the entry moves to the end: the map stays in order of use.
  visitors.delete(id);
  visitors.set(id, visitor);
  if (visitors.size > MOST_VISITORS) forgetOldest(visitors, MOST_VISITORS - FORGOTTEN_AT_ONCE);
}

/** Many at once: a map steps over every entry that was deleted at its front, each time it is read from there. */
function forgetOldest(visitors: OpenDay['visitors'], left: number): void {
  for (const id of visitors.keys()) {
    if (visitors.size <= left) return;
    visitors.delete(id);
  }
}

/** Forgets whoever was last shown a page more than an hour ago. */
export function forgetVisitors({ visitors }: OpenDay, now: number): void {
  for (const [id, { at }] of visitors) if (now - at >= VISIT_MS) visitors.delete(id);
}

const VISIT_MS = 3600_000;
const MOST_VISITORS = 20_000;
const FORGOTTEN_AT_ONCE = 1000;

/** Where a page is counted. A flood of made-up hosts and campaigns fills neither memory nor the table. */
export function rowOf(day: OpenDay, page: string, origin: VisitOrigin): Visits {
  const key = keyOf({ day: day.day, page, ...origin });
  const known = day.rows.get(key);
  if (known !== undefined) return known;
  if (day.rows.size >= MOST_ROWS && origin !== REST) return rowOf(day, page, REST);
  const row: Visits = { day: day.day, page, ...origin, shown: 0, sign_ups: 0 };
  day.rows.set(key, row);
  return row;
}

/** Rows that one day may have, and one more for each page. */
export const MOST_ROWS = 1000;

const REST: VisitOrigin = { referrer: OTHER, campaign: OTHER };
