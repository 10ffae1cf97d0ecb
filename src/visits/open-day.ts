import { hash, randomBytes } from 'node:crypto';
import type { Visits } from '#store/schema.ts';
import { formatKey } from './stored-visits.ts';
import { toVisitDay, type VisitDay } from './visit-day.ts';
import { OTHER, type VisitOrigin } from './visit-origin.ts';

/** The day that is being counted. Only this, in memory, distinguishes visitors; it ends with the day. */
export type OpenDay = VisitDay & {
  /** Keys the hashes of visitors; each day has another, so that no two days can be compared. */
  salt: string;
  /** By their hash, in the order in which they were last shown a page. */
  visitors: Map<string, Visitor>;
  /** By their keys, with the counts since they were last written. */
  rows: Map<string, Visits>;
  /** Campaigns that too few visitors have come by so far, with the hashes of those. */
  newCampaigns: Map<string, Set<string>>;
};

/** Somebody who was shown a page within the hour. */
export type Visitor = {
  /** When the last page was shown, in milliseconds since 1970. */
  at: number;
  /** Where that page is counted. */
  row?: Visits;
  /** Where the page is counted on which they came to the site. */
  arrival?: Visits;
  hasSignedUp: boolean;
  /** How many rows of the day were made for them. */
  rowsAdded: number;
};

/**
 * @param now milliseconds since 1970
 * @param stored the rows that the day had before a restart
 */
export function openDay(now: number, stored: Visits[]): OpenDay {
  return {
    ...toVisitDay(now),
    salt: randomBytes(16).toString('base64'),
    visitors: new Map(),
    rows: new Map(stored.map((row) => [formatKey(row), row])),
    newCampaigns: new Map(),
  };
}

/** A hash that only this day's salt can make again: it tells one visitor from another and leads to neither. */
export function hashVisitor({ salt }: OpenDay, address: string, agent: string): string {
  return hash('sha256', `${salt}\n${address}\n${agent}`, 'base64');
}

/** @returns undefined for somebody new, and for a visitor whose last page was shown more than an hour ago */
export function findVisitor({ visitors }: OpenDay, id: string, now: number): Visitor | undefined {
  const visitor = visitors.get(id);
  return visitor !== undefined && now - visitor.at < VISIT_MS ? visitor : undefined;
}

/** Remembers a visitor for an hour. */
export function keepVisitor({ visitors }: OpenDay, id: string, visitor: Visitor): void {
  // Deleted and set again, the entry moves to the end of the map.
  visitors.delete(id);
  visitors.set(id, visitor);
  dropOldest(visitors, MAX_VISITORS);
}

/** Drops visitors whose last page was shown more than an hour ago. */
export function dropOldVisitors({ visitors }: OpenDay, now: number): void {
  for (const [id, { at }] of visitors) if (now - at >= VISIT_MS) visitors.delete(id);
}

const VISIT_MS = 3600_000;
const MAX_VISITORS = 20_000;

/**
 * The campaign by which a visit is counted: none until several visitors have come by it, since a link that was made for
 * one person names that person.
 * @param known the campaigns that several visitors have come by; it gains one when enough have
 */
export function nameCampaign(day: OpenDay, campaign: string, visitorId: string, known: Set<string>): string {
  if (campaign === '' || known.has(campaign)) return campaign;
  const visitors = (day.newCampaigns.get(campaign) ?? new Set()).add(visitorId);
  if (visitors.size < MIN_CAMPAIGN_VISITORS) {
    day.newCampaigns.set(campaign, visitors);
    dropOldest(day.newCampaigns, MAX_ROWS);
    return '';
  }
  day.newCampaigns.delete(campaign);
  known.add(campaign);
  dropOldest(known, MAX_ROWS);
  return campaign;
}

/** Visitors of one day before a campaign is kept by name; docs/decisions/visits.md. */
export const MIN_CAMPAIGN_VISITORS = 3;

function dropOldest(entries: Map<string, unknown> | Set<string>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
}

/**
 * The row in which a page is counted. Made-up hosts and campaigns fill neither memory nor the table, and one visitor's
 * leave the rows of others alone.
 */
export function findRow(day: OpenDay, page: string, origin: VisitOrigin, visitor: Visitor): Visits {
  const row = { day: day.day, page, ...origin, shown: 0, sign_ups: 0 };
  const existing = day.rows.get(formatKey(row));
  if (existing !== undefined) return existing;
  const isFull = day.rows.size >= MAX_ROWS || visitor.rowsAdded >= MAX_ROWS_OF_VISITOR;
  if (isFull && origin !== REST) return findRow(day, page, REST, visitor);
  day.rows.set(formatKey(row), row);
  visitor.rowsAdded += 1;
  return row;
}

/** Rows that one day may have, and one more for each page. */
export const MAX_ROWS = 1000;

/** Rows that one visitor may add to a day, and one more for each page. */
const MAX_ROWS_OF_VISITOR = 20;

const REST: VisitOrigin = { referrer: OTHER, campaign: OTHER };
