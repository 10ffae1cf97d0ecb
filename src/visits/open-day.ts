import { hash, randomBytes } from 'node:crypto';
import { onOwnersClock, startOfDay } from '#shared/owners-clock.ts';
import type { Visits } from '#store/schema.ts';
import type { VisitOrigin } from './visit-origin.ts';

/** The day that is being counted. Only this, in memory, distinguishes visitors; it ends with the day. */
export type OpenDay = {
  /** On the owner's calendar, for example `2026-11-22`. */
  day: string;
  /** In milliseconds since 1970. */
  from: number;
  /** The first moment of the next day. */
  to: number;
  /** Keys the hashes of visitors; each day has another, so that no two days can be compared. */
  salt: string;
  /** By their hash. */
  visitors: Map<string, Visitor>;
  /** By their keys, with the counts since they were last written. */
  rows: Map<string, Visits>;
  /** The campaigns that several visitors have come by; a day adds to those of the days before. */
  campaigns: Set<string>;
  /** Campaigns that too few visitors have come by so far, with the hashes of those. */
  newCampaigns: Map<string, Set<string>>;
};

/** Somebody who was shown a page within the hour. */
type Visitor = {
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

/** @param now milliseconds since 1970 */
export function openDay(now: number, campaigns: Set<string>): OpenDay {
  const date = onOwnersClock(now).toPlainDate();
  return {
    day: date.toString(),
    from: startOfDay(date),
    to: startOfDay(date.add({ days: 1 })),
    salt: randomBytes(16).toString('base64'),
    visitors: new Map(),
    rows: new Map(),
    campaigns,
    newCampaigns: new Map(),
  };
}

/** A hash that only this day's salt can make again: it distinguishes visitors and identifies none. */
export function hashVisitor({ salt }: OpenDay, address: string, agent: string): string {
  return hash('sha256', `${salt}\n${address}\n${agent}`, 'base64');
}

/** A visitor's hash, and when they ask, in milliseconds since 1970. */
type Visit = { id: string; now: number };

/** Counts a page. @returns where; undefined for a reload */
export function showPage(day: OpenDay, { id, now }: Visit, page: string, origin: VisitOrigin): Visits | undefined {
  const visitor = findVisitor(day, id, now) ?? { at: now, hasSignedUp: false, rowsAdded: 0 };
  const campaign = nameCampaign(day, origin.campaign, id);
  const row = findRow(day, page, { ...origin, campaign }, visitor);
  const isReload = visitor.row === row && now - visitor.at < RELOAD_MS;
  if (visitor.arrival === undefined || origin.referrer !== '' || campaign !== '') visitor.arrival = row;
  visitor.at = now;
  visitor.row = row;
  if (day.visitors.size >= MAX_VISITORS && !day.visitors.has(id)) day.visitors.clear();
  day.visitors.set(id, visitor);
  if (isReload) return undefined;
  row.shown += 1;
  return row;
}

/** Counts a sign-up where its visitor came to the site. @returns where; undefined for a second one or a stranger */
export function addSignUp(day: OpenDay, { id, now }: Visit): Visits | undefined {
  const visitor = findVisitor(day, id, now);
  if (visitor?.arrival === undefined || visitor.hasSignedUp) return undefined;
  visitor.hasSignedUp = true;
  visitor.arrival.sign_ups += 1;
  return visitor.arrival;
}

/** Drops visitors who were last shown a page more than an hour ago. */
export function dropOldVisitors({ visitors }: OpenDay, now: number): void {
  for (const [id, { at }] of visitors) if (now - at >= VISIT_MS) visitors.delete(id);
}

/** @returns undefined for somebody new, and for a visitor who was last shown a page more than an hour ago */
function findVisitor({ visitors }: OpenDay, id: string, now: number): Visitor | undefined {
  const visitor = visitors.get(id);
  return visitor !== undefined && now - visitor.at < VISIT_MS ? visitor : undefined;
}

const RELOAD_MS = 60_000;
const VISIT_MS = 3600_000;

/** Only a flood has so many: the map is then emptied, to bound memory. */
const MAX_VISITORS = 20_000;

/**
 * The campaign by which a visit is counted: none until several visitors have come by it, since a link that was made for
 * one person names that person.
 */
function nameCampaign({ campaigns, newCampaigns }: OpenDay, campaign: string, visitorId: string): string {
  if (campaign === '' || campaigns.has(campaign)) return campaign;
  const visitors = (newCampaigns.get(campaign) ?? new Set()).add(visitorId);
  if (visitors.size < MIN_CAMPAIGN_VISITORS) {
    if (newCampaigns.size >= MAX_CAMPAIGNS && !newCampaigns.has(campaign)) newCampaigns.clear();
    newCampaigns.set(campaign, visitors);
    return '';
  }
  newCampaigns.delete(campaign);
  if (campaigns.size >= MAX_CAMPAIGNS) campaigns.clear();
  campaigns.add(campaign);
  return campaign;
}

/** Visitors of one day before a campaign is kept by name; docs/decisions/visits.md. */
export const MIN_CAMPAIGN_VISITORS = 3;

/** Kept in memory at a time. Only a flood of made-up campaigns is so large. */
const MAX_CAMPAIGNS = 2000;

/**
 * The row in which a page is counted. Made-up hosts and campaigns fill neither memory nor the table, and one visitor's
 * leave the rows of others alone.
 */
function findRow(day: OpenDay, page: string, origin: VisitOrigin, visitor: Visitor): Visits {
  // No page, host or campaign holds a line break, so two different rows have different keys.
  const key = [page, origin.referrer, origin.campaign].join('\n');
  const existing = day.rows.get(key);
  if (existing !== undefined) return existing;
  const isFull = day.rows.size >= MAX_ROWS || visitor.rowsAdded >= MAX_ROWS_OF_VISITOR;
  if (isFull && origin !== REST) return findRow(day, page, REST, visitor);
  const row = { day: day.day, page, ...origin, shown: 0, sign_ups: 0 };
  day.rows.set(key, row);
  visitor.rowsAdded += 1;
  return row;
}

/** Rows that one day may have, and one more for each page. */
const MAX_ROWS = 1000;

/** Rows that one visitor may add to a day, and one more for each page. */
const MAX_ROWS_OF_VISITOR = 20;

/** The origin of a page when the day or its visitor has no row left. */
const REST: VisitOrigin = { referrer: 'other', campaign: 'other' };
