import type { Store } from '../store/open-store.ts';
import { type Claim, type ClaimedDelivery, claimMails, claimSheetMessages, prepareClaims } from './claim.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { recordFailure, recordSent } from './record-outcome.ts';

/** Sends one delivery; throws a DeliveryFailure when it did not arrive. */
export type Send = (delivery: ClaimedDelivery) => Promise<void>;

export type RunningDeliveries = {
  /** Something new is queued. */
  wake: () => void;
  /** Claims nothing more, and waits a while for what is under way. */
  stop: () => Promise<void>;
};

/**
 * Sends whatever is queued, as long as it runs. Mails and the sheet have a worker each: one that hangs does not hold up
 * the other.
 * @param options.log takes one line without any address of a person
 */
export async function runDeliveries(options: {
  store: Store;
  sendMail: Send;
  /** Left out where there is no sheet: what is queued for one then waits. */
  sendToSheet: Send | undefined;
  hourlyCap: number;
  secret: string;
  log: (line: string) => void;
}): Promise<RunningDeliveries> {
  const { store, sendMail, sendToSheet, hourlyCap, secret, log } = options;
  await prepareClaims(store);
  const workers = [
    startWorker(store, (now) => claimMails(store, { most: MAILS_AT_ONCE, hourlyCap, secret }, now), sendMail, log),
    // One row after the other: an erasure must not overtake the row that it erases.
    ...(sendToSheet ? [startWorker(store, (now) => claimSheetMessages(store, 1, now), sendToSheet, log)] : []),
  ];
  return {
    wake: () => {
      for (const worker of workers) worker.wake();
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

const MAILS_AT_ONCE = 4;

/** How long a stop waits for what is under way, in milliseconds; what takes longer is sent again after a start. */
const STOP_WAITS_MS = 5000;

function startWorker(
  store: Store,
  claim: (now: number) => Promise<Claim>,
  send: Send,
  log: (line: string) => void,
): RunningDeliveries {
  const stopping = new AbortController();
  let isWoken = false;
  let sleep: { end: () => void; isWakeable: boolean } | undefined;

  const sleepUntil = async (time: number, isWakeable: boolean) => {
    if (stopping.signal.aborted || (isWoken && isWakeable)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(Math.max(0, time - Date.now()), LONGEST_SLEEP_MS));
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      sleep = { end, isWakeable };
    });
    sleep = undefined;
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      isWoken = false;
      try {
        const { claimed, idleUntil, isCapped } = await claim(Date.now());
        await Promise.all(claimed.map((delivery) => attempt(store, delivery, send, log)));
        // New work cannot lift the cap, so it need not end this sleep.
        if (idleUntil !== undefined) await sleepUntil(idleUntil, !isCapped);
      } catch (error) {
        log(`Deliveries pause: the store cannot be used (${errorName(error)}).`);
        await sleepUntil(Date.now() + STORE_PAUSE_MS, false);
      }
    }
  };
  const running = run();

  return {
    wake: () => {
      isWoken = true;
      if (sleep?.isWakeable) sleep.end();
    },
    stop: async () => {
      stopping.abort();
      sleep?.end();
      const waited = new Promise((resolve) => setTimeout(resolve, STOP_WAITS_MS).unref());
      await Promise.race([running, waited]);
    },
  };
}

/** A clock that is set meanwhile must not leave a worker asleep for long. */
const LONGEST_SLEEP_MS = 60_000;
const STORE_PAUSE_MS = 5000;

async function attempt(
  store: Store,
  delivery: ClaimedDelivery,
  send: Send,
  log: (line: string) => void,
): Promise<void> {
  try {
    await send(delivery);
  } catch (error) {
    const failure = error instanceof DeliveryFailure ? error : new DeliveryFailure(`internal: ${errorName(error)}`);
    const outcome = await recordFailure(store, delivery, failure, Date.now());
    const next = outcome.state === 'waiting' ? `next try in ${forPeople(outcome.dueAt - Date.now())}` : 'given up';
    log(`Delivery ${delivery.id} (${delivery.kind}), attempt ${delivery.attempts + 1}: ${failure.message}; ${next}.`);
    return;
  }
  await recordSent(store, delivery, Date.now());
}

function errorName(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  return code ?? name ?? 'unknown';
}

function forPeople(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  if (minutes < 2) return `${Math.round(milliseconds / 1000)} s`;
  return minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}
