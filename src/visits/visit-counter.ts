import type { IncomingMessage } from 'node:http';
import { isBot } from 'isbot';
import type { Environment } from '#shared/environment.ts';
import { describeError } from '#shared/describe-error.ts';
import { runEvery } from '#shared/run-every.ts';
import type { Store } from '#store/open-store.ts';
import type { Visits } from '#store/schema.ts';
import { mayBeCounted } from './may-be-counted.ts';
import {
  nameCampaign,
  findRow,
  findVisitor,
  dropOldVisitors,
  hashVisitor,
  keepVisitor,
  MAX_ROWS,
  openDay,
  type OpenDay,
  type Visitor,
} from './open-day.ts';
import { readDay, readNamedCampaigns, writeVisits } from './stored-visits.ts';
import { toVisitDay } from './visit-day.ts';
import { readVisitOrigin } from './visit-origin.ts';

/** Counts how often pages are shown, and keeps nothing of who saw them; docs/decisions/visits.md says how. */
export type VisitCounter = {
  /** Counts a page that was just answered; `path` is its address without a query. */
  shown: (path: string, request: IncomingMessage) => void;
  /** Counts a sign-up where its visitor came from, once for each who was shown a page within the hour. */
  signedUp: (request: IncomingMessage) => void;
  /**
   * Writes once a minute what was counted.
   * @param log takes one line
   * @returns ends it, and writes the rest
   */
  start: (log: (line: string) => void) => () => Promise<void>;
};

type Settings = {
  readAddress: ReadAddress;
  ownHost: string | undefined;
  /** The campaigns that several visitors have come by. */
  campaigns: Set<string>;
};

/** Reads the address of the client that sent a request. */
export type ReadAddress = (request: IncomingMessage) => string;

export async function openVisitCounter(
  store: Store,
  { SITE_URL }: Pick<Environment, 'SITE_URL'>,
  readAddress: ReadAddress,
): Promise<VisitCounter> {
  const now = Date.now();
  const settings: Settings = {
    readAddress,
    ownHost: SITE_URL && new URL(SITE_URL).host,
    campaigns: await readNamedCampaigns(store, now),
  };
  let today = openDay(now, await readDay(store, toVisitDay(now).day, MAX_ROWS));
  const findDay = (time: number) => {
    if (time < today.from || time >= today.to) today = openDay(time, []);
    return today;
  };
  // Also of the day before, until they are written.
  const unwritten = new Set<Visits>();
  const count = (row: Visits | undefined, what: 'shown' | 'sign_ups') => {
    if (row === undefined) return;
    row[what] += 1;
    unwritten.add(row);
  };
  return {
    shown: (path, request) => {
      const time = Date.now();
      if (!mayBeCounted(request.headers)) return;
      count(showPage(findDay(time), path, request, settings, time), 'shown');
    },
    signedUp: (request) => {
      const time = Date.now();
      const day = findDay(time);
      const visitor = findVisitor(day, readVisitorId(day, request, settings), time);
      if (visitor?.arrival === undefined || visitor.hasSignedUp) return;
      visitor.hasSignedUp = true;
      count(visitor.arrival, 'sign_ups');
    },
    start: (log) => {
      const write = () =>
        writeVisits(store, unwritten).catch((error: unknown) =>
          log(`Visits: not written (${describeError(error)}); kept, and tried again.`),
        );
      const stopWriting = runEvery(WRITE_MS, () => {
        dropOldVisitors(today, Date.now());
        return write();
      });
      return async () => {
        await stopWriting();
        await write();
      };
    },
  };
}

/** @returns where to count the page; undefined for a reload, and for a program that reads pages by itself */
function showPage(
  day: OpenDay,
  path: string,
  request: IncomingMessage,
  settings: Settings,
  now: number,
): Visits | undefined {
  const { headers, url = '' } = request;
  const id = readVisitorId(day, request, settings);
  const known = findVisitor(day, id, now);
  if (known === undefined && !isBrowser(headers['user-agent'])) return undefined;
  const visitor: Visitor = known ?? { at: now, hasSignedUp: false, rowsAdded: 0 };
  const ownHost = settings.ownHost ?? headers.host;
  const { referrer, campaign: named } = readVisitOrigin(headers.referer, ownHost, url.slice(path.length + 1));
  const campaign = nameCampaign(day, named, id, settings.campaigns);
  const row = findRow(day, path, { referrer, campaign }, visitor);
  const isReload = visitor.row === row && now - visitor.at < RELOAD_MS;
  const isArrival = known === undefined || referrer !== '' || campaign !== '';
  visitor.at = now;
  visitor.row = row;
  if (isArrival) visitor.arrival = row;
  keepVisitor(day, id, visitor);
  return isReload ? undefined : row;
}

const RELOAD_MS = 60_000;

function readVisitorId(day: OpenDay, request: IncomingMessage, { readAddress }: Settings): string {
  return hashVisitor(day, readAddress(request), request.headers['user-agent'] ?? '');
}

/** Every browser names itself, and none at such length. */
function isBrowser(agent = ''): boolean {
  return agent !== '' && agent.length <= MAX_AGENT_LENGTH && !isBot(agent);
}

const MAX_AGENT_LENGTH = 1000;

const WRITE_MS = 60_000;
