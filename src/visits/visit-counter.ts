import type { IncomingMessage } from 'node:http';
import type { Environment } from '#shared/environment.ts';
import { describeError } from '#shared/describe-error.ts';
import { runEvery } from '#shared/run-every.ts';
import type { Store } from '#store/open-store.ts';
import type { Visits } from '#store/schema.ts';
import { mayBeCounted } from './may-be-counted.ts';
import { addSignUp, dropOldVisitors, hashVisitor, openDay, showPage } from './open-day.ts';
import { readNamedCampaigns, writeVisits } from './stored-visits.ts';
import { readVisitOrigin } from './visit-origin.ts';

/** Counts how often pages are shown, and keeps nothing of who saw them; docs/decisions/visits.md says how. */
export type VisitCounter = {
  /** Counts a page that was just answered; `path` is its address without a query. */
  countPage: (path: string, request: IncomingMessage) => void;
  /** Counts a sign-up where its visitor came from, once for each who was shown a page within the hour. */
  countSignUp: (request: IncomingMessage) => void;
  /**
   * Writes once a minute what was counted.
   * @param log takes one line
   * @returns ends it, and writes the rest
   */
  start: (log: (line: string) => void) => () => Promise<void>;
};

/** Reads the address of the client that sent a request. */
export type ReadAddress = (request: IncomingMessage) => string;

export async function openVisitCounter(
  store: Store,
  { SITE_URL }: Pick<Environment, 'SITE_URL'>,
  readAddress: ReadAddress,
): Promise<VisitCounter> {
  const ownHost = SITE_URL && new URL(SITE_URL).host;
  const campaigns = await readNamedCampaigns(store, Date.now());
  let today = openDay(Date.now(), campaigns);
  // Also of the day before, until they are written.
  const unwritten = new Set<Visits>();
  const identify = (request: IncomingMessage) => {
    const now = Date.now();
    if (now < today.from || now >= today.to) today = openDay(now, campaigns);
    return { id: hashVisitor(today, readAddress(request), request.headers['user-agent'] ?? ''), now };
  };
  return {
    countPage: (path, request) => {
      const { headers, url = '' } = request;
      if (!mayBeCounted(headers)) return;
      const visitor = identify(request);
      const origin = readVisitOrigin(headers.referer, ownHost ?? headers.host, url.slice(path.length + 1));
      const row = showPage(today, visitor, path, origin);
      if (row) unwritten.add(row);
    },
    countSignUp: (request) => {
      const visitor = identify(request);
      const row = addSignUp(today, visitor);
      if (row) unwritten.add(row);
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

const WRITE_MS = 60_000;
