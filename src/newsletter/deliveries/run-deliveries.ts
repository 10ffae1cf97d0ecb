import { describeError } from '#shared/describe-error.ts';
import { runEvery } from '#shared/run-every.ts';
import type { Store } from '../database/open-store.ts';
import { finishUpdates, recordRunning, startDueUpdates } from '../updates/update-schedule.ts';
import {
  claimNextDelivery,
  type ClaimedDelivery,
  listMailQueues,
  SHEET_QUEUES,
  type Wait,
} from './queue/claim-delivery.ts';
import type { SendingCaps } from './queue/mail-limits.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { releaseInterrupted } from './queue/leases.ts';
import { readOutage } from './smtp/mail-outage.ts';
import { type OpenSender, startWorker } from './worker.ts';

/**
 * Sends queued deliveries until it is stopped. Emails and the sheet have a worker each, so neither blocks the other.
 * @param options.log takes one line without any address of a person
 * @returns a function that stops it, and settles when the outcomes of deliveries in flight have been recorded
 */
export async function runDeliveries(options: {
  store: Store;
  openMailSender: OpenSender;
  /** Undefined if there is no sheet; messages to it then wait. */
  openSheetSender: OpenSender | undefined;
  caps: SendingCaps;
  /** How many emails are sent at the same time: MAIL_CONCURRENCY. */
  concurrency: number;
  clock?: Clock;
  log: (line: string) => void;
}): Promise<() => Promise<void>> {
  const { store, openMailSender, openSheetSender, caps, concurrency, clock = SYSTEM_CLOCK, log } = options;
  // A SQLite file has one server, so anything still `sending` belongs to one that has ended.
  if (store.kind === 'sqlite') await releaseInterrupted(store, 'all', clock.now(), log);
  const stopUpkeep = startUpkeep(store, clock, log);
  const common = { store, clock, log };
  const claimMail = (now: number) => claimNextMail(store, caps, now);
  const stops = [startWorker({ ...common, claim: claimMail, openSender: openMailSender, concurrency })];
  if (openSheetSender) {
    // One message at a time: an erasure must not overtake its row.
    const claim = (now: number) => claimNextDelivery(store, SHEET_QUEUES, caps, now);
    stops.push(startWorker({ ...common, claim, openSender: openSheetSender, concurrency: 1 }));
  }
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await stopUpkeep();
  };
}

/** Starts the updates that are due and claims an email. If there is none, finishes the updates that are done. */
async function claimNextMail(store: Store, caps: SendingCaps, now: number): Promise<ClaimedDelivery | Wait> {
  const sending = await startDueUpdates(store, now);
  const { until } = (await readOutage(store.db)) ?? {};
  if (until !== undefined && now < Date.parse(until)) return { waitMs: HELD_MS };
  const next = await claimNextDelivery(store, listMailQueues(sending), caps, now);
  if ('waitMs' in next) await finishUpdates(store, sending, now);
  return next;
}

/** How often to check whether a mail server's limit is over: the owner may lift it, or stop the server. */
const HELD_MS = 1000;

/** Records each minute that a server is running, and releases the deliveries of servers that have ended. */
function startUpkeep(store: Store, clock: Clock, log: (line: string) => void): () => Promise<void> {
  return runEvery(MINUTE_MS, async () => {
    try {
      await recordRunning(store, clock.now());
      if (store.kind === 'postgres') await releaseInterrupted(store, 'expired', clock.now(), log);
    } catch (error) {
      log(`Deliveries: the store cannot be used (${describeError(error)}); trying again in a minute.`);
    }
  });
}

const MINUTE_MS = 60_000;
