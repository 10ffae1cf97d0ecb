import { describeError } from '#shared/describe-error.ts';
import type { Store } from '../database/open-store.ts';
import type { ClaimedDelivery, Wait } from './queue/claim-delivery.ts';
import type { Clock } from './clock.ts';
import { decideConsequence } from './decide-consequence.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { RENEW_EVERY_MS, renewLease } from './queue/leases.ts';
import { createPace, type Pace } from './queue/pace.ts';
import { formatDuration, type Outcome, recordOutcome } from './queue/record-outcome.ts';

/** Opens the sender of one connection. */
export type OpenSender = () => Sender;

type Sender = {
  /**
   * Sends one delivery.
   * @param signal aborts the attempt at once
   * @throws {DeliveryFailure} if it did not arrive
   */
  send: (claimed: ClaimedDelivery, signal: AbortSignal) => Promise<void>;
  close: () => void;
};

type Worker = {
  store: Store;
  clock: Clock;
  log: (line: string) => void;
  claim: (now: number) => Promise<ClaimedDelivery | Wait>;
  openSender: OpenSender;
  concurrency: number;
};

/** How long stopping waits before it aborts the deliveries in flight, in milliseconds. */
export const STOP_SENDING_MS = 60_000;

/** How long stopping may spend recording how a delivery ended, in milliseconds. */
export const RECORD_BEFORE_STOP_MS = 10_000;

/**
 * Claims one delivery after another, and sends up to `concurrency` at a time.
 * @returns a function that stops claiming, aborts deliveries in flight after STOP_SENDING_MS, and settles when their
 *   outcomes have been recorded
 */
export function startWorker(worker: Worker): () => Promise<void> {
  const stopping = new AbortController();
  const aborting = new AbortController();
  const running = runWorker(worker, stopping.signal, aborting.signal);
  return async () => {
    stopping.abort();
    const timer = setTimeout(() => aborting.abort(), STOP_SENDING_MS);
    await running;
    clearTimeout(timer);
  };
}

async function runWorker(worker: Worker, stopping: AbortSignal, aborting: AbortSignal): Promise<void> {
  const { clock, openSender, concurrency } = worker;
  const pace = createPace();
  const idle: Sender[] = [];
  let sending = 0;
  const deliver = async (claimed: ClaimedDelivery) => {
    sending += 1;
    // A provider may allow only one login at a time, so the sender that succeeded last and is still logged in is used.
    const sender = idle.pop() ?? openSender();
    const outcome = await attempt(worker, claimed, sender, aborting);
    if (outcome.failure) idle.unshift(sender);
    else idle.push(sender);
    sending -= 1;
    const restMs = adjustPace(worker, pace, outcome, sending > 0);
    await record(worker, outcome, stopping);
    if (restMs > 0) await clock.sleep(restMs, stopping);
  };
  const inFlight = new Set<Promise<void>>();
  while (!stopping.aborted) {
    if (inFlight.size === concurrency) {
      await Promise.race(inFlight);
      continue;
    }
    try {
      const gapMs = pace.waitMs(clock.now());
      const next = gapMs > 0 ? { waitMs: gapMs } : await worker.claim(clock.now());
      if ('waitMs' in next) {
        await clock.sleep(next.waitMs, stopping);
        continue;
      }
      pace.recordStart(clock.now());
      const delivery: Promise<void> = deliver(next).finally(() => inFlight.delete(delivery));
      inFlight.add(delivery);
    } catch (error) {
      await pauseForStore(worker, error);
    }
  }
  await Promise.all(inFlight);
  for (const sender of idle) sender.close();
}

/** Records an outcome, retrying until the store accepts it. */
async function record(worker: Worker, outcome: Outcome, stopping: AbortSignal): Promise<void> {
  const since = performance.now();
  for (;;) {
    try {
      for (const line of await recordOutcome(worker.store, outcome)) worker.log(line);
      return;
    } catch (error) {
      if (stopping.aborted && performance.now() - since > RECORD_BEFORE_STOP_MS) {
        worker.log(
          `Delivery ${outcome.delivery.id} could not be recorded before the server stopped; it may go out again.`,
        );
        return;
      }
      await pauseForStore(worker, error);
    }
  }
}

async function pauseForStore({ clock, log }: Worker, error: unknown): Promise<void> {
  log(`Deliveries are paused: the store cannot be used (${describeError(error)}).`);
  await clock.sleep(STORE_PAUSE_MS);
}

const STORE_PAUSE_MS = 2000;

async function attempt(
  { store, clock }: Worker,
  claimed: ClaimedDelivery,
  sender: Sender,
  aborting: AbortSignal,
): Promise<Outcome> {
  const { delivery } = claimed;
  const renewal = setInterval(() => {
    // If it fails, the next call renews the lease.
    void renewLease(store, delivery, clock.now()).catch(() => undefined);
  }, RENEW_EVERY_MS);
  try {
    await sender.send(claimed, aborting);
    return { delivery, at: clock.now(), failure: undefined };
  } catch (error) {
    const failure =
      error instanceof DeliveryFailure
        ? error
        : new DeliveryFailure(`it could not be composed (${describeError(error)})`);
    return { delivery, at: clock.now(), failure };
  } finally {
    clearInterval(renewal);
  }
}

/**
 * Adapts the pace to the outcome of an attempt.
 * @param isOtherInFlight whether another connection is sending an email
 * @returns how long this connection rests while the others carry on, in milliseconds
 */
function adjustPace({ log }: Worker, pace: Pace, outcome: Outcome, isOtherInFlight: boolean): number {
  const { delivery, at, failure } = outcome;
  if (failure === undefined) {
    pace.speedUp();
    return 0;
  }
  const { others } = decideConsequence(delivery.kind, failure.ending);
  if (others === 'slow down') {
    log(`The mail server did not accept an email: now sending one email every ${formatDuration(pace.slowDown(at))}.`);
  } else if (others === 'back off') {
    // If another connection can send, the provider may just allow fewer connections, so this one rests.
    if (isOtherInFlight) return CONNECTION_REST_MS;
    log(`The mail server cannot be reached, or rejects the login: next try in ${formatDuration(pace.backOff(at))}.`);
  }
  return 0;
}

const CONNECTION_REST_MS = 10_000;
