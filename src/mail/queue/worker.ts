import { describeError } from '#shared/describe-error.ts';
import type { Store } from '#store/open-store.ts';
import type { Begun, Wait } from './begin-delivery.ts';
import type { Clock } from './clock.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { findConsequence } from './consequence.ts';
import { RENEW_EVERY_MS, renewLease } from './leases.ts';
import { createPace, type Pace } from './pace.ts';
import { formatDuration, type Outcome, recordOutcome } from './record-outcome.ts';

/** Opens the sender of one connection. */
export type OpenSender = () => Sender;

type Sender = {
  /**
   * Sends one delivery.
   * @param signal ends the attempt at once
   * @throws {DeliveryFailure} when it did not arrive
   */
  send: (begun: Begun, signal: AbortSignal) => Promise<void>;
  close: () => void;
};

export type RunningDeliveries = {
  /** Begins nothing more, aborts deliveries in flight after STOP_SENDING_MS, and settles when outcomes are recorded. */
  stop: () => Promise<void>;
};

type Worker = {
  store: Store;
  clock: Clock;
  log: (line: string) => void;
  begin: (now: number) => Promise<Begun | Wait>;
  openSender: OpenSender;
  concurrency: number;
};

/** How long a stop waits before it aborts the deliveries in flight, in milliseconds. */
export const STOP_SENDING_MS = 60_000;

/** How long a stop tries to record how a delivery ended, in milliseconds. */
export const RECORD_BEFORE_STOP_MS = 10_000;

/** Runs connections that each begin one delivery, send it, and record how it ended. */
export function startWorker(worker: Worker): RunningDeliveries {
  const stopping = new AbortController();
  const aborting = new AbortController();
  const pace = createPace();
  const pick = pickInTurn(worker, pace, stopping.signal);
  const idle: Sender[] = [];
  let inFlight = 0;
  const send = async (begun: Begun) => {
    inFlight += 1;
    // A provider may allow one login at a time, so the last sender that succeeded, which is logged in, is used first.
    const sender = idle.pop() ?? worker.openSender();
    const outcome = await attempt(worker, begun, sender, aborting.signal);
    if (outcome.failure) idle.unshift(sender);
    else idle.push(sender);
    inFlight -= 1;
    return { outcome, restMs: adjustPace(worker, pace, outcome, inFlight > 0) };
  };
  const connections = Array.from({ length: worker.concurrency }, () =>
    runConnection(worker, pick, send, stopping.signal),
  );
  return {
    stop: async () => {
      stopping.abort();
      const timer = setTimeout(() => aborting.abort(), STOP_SENDING_MS);
      await Promise.all(connections);
      clearTimeout(timer);
      for (const sender of idle) sender.close();
    },
  };
}

async function runConnection(
  { store, clock, log }: Worker,
  pick: () => Promise<Begun | undefined>,
  send: (begun: Begun) => Promise<{ outcome: Outcome; restMs: number }>,
  stopping: AbortSignal,
): Promise<void> {
  // An outcome that could not be recorded is retried before anything else begins.
  let pending: Outcome | undefined;
  let restMs = 0;
  let failedSince: number | undefined;
  while (pending || !stopping.aborted) {
    try {
      if (pending) for (const line of await recordOutcome(store, pending)) log(line);
      pending = undefined;
      failedSince = undefined;
      if (restMs > 0) await clock.sleep(restMs, stopping);
      restMs = 0;
      const begun = await pick();
      if (begun) ({ outcome: pending, restMs } = await send(begun));
    } catch (error) {
      failedSince ??= performance.now();
      if (stopping.aborted && performance.now() - failedSince > RECORD_BEFORE_STOP_MS) {
        if (pending) log(`Delivery ${pending.delivery.id} could not be recorded before the stop; it may go out again.`);
        break;
      }
      log(`Deliveries pause: the store cannot be used (${describeError(error)}).`);
      await clock.sleep(STORE_PAUSE_MS);
    }
  }
}

const STORE_PAUSE_MS = 2000;

/** Lets one connection at a time pick a delivery, after the gap that the pace requires. */
function pickInTurn({ clock, begin }: Worker, pace: Pace, stopping: AbortSignal) {
  const pickNext = async (): Promise<Begun | undefined> => {
    while (!stopping.aborted) {
      const gapMs = pace.waitMs(clock.now());
      if (gapMs > 0) {
        await clock.sleep(gapMs, stopping);
        continue;
      }
      const next = await begin(clock.now());
      if ('delivery' in next) {
        pace.begin(clock.now());
        return next;
      }
      await clock.sleep(next.waitMs, stopping);
    }
    return undefined;
  };
  let turn: Promise<unknown> = Promise.resolve();
  return () => {
    const picked = turn.then(pickNext);
    turn = picked.catch(() => undefined);
    return picked;
  };
}

async function attempt(
  { store, clock }: Worker,
  begun: Begun,
  sender: Sender,
  aborting: AbortSignal,
): Promise<Outcome> {
  const { delivery } = begun;
  const renewal = setInterval(() => {
    // A lease that could not be renewed is renewed the next time.
    void renewLease(store, delivery, clock.now()).catch(() => undefined);
  }, RENEW_EVERY_MS);
  try {
    await sender.send(begun, aborting);
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
 * @param isOtherInFlight whether another connection is sending a mail
 * @returns how long this connection rests while the others go on, in milliseconds
 */
function adjustPace({ log }: Worker, pace: Pace, outcome: Outcome, isOtherInFlight: boolean): number {
  const { delivery, at, failure } = outcome;
  if (failure === undefined) {
    pace.speedUp();
    return 0;
  }
  const { others } = findConsequence(delivery.kind, failure.end);
  if (others === 'follow more slowly') {
    log(`The mail server did not take an email: now one email every ${formatDuration(pace.slowDown(at))}.`);
  } else if (others === 'wait from 10 s to 5 min') {
    // While another connection sends, the provider may only allow fewer connections: this one rests.
    if (isOtherInFlight) return CONNECTION_REST_MS;
    log(`The mail server lets nobody in: next try in ${formatDuration(pace.holdBack(at))}.`);
  }
  return 0;
}

const CONNECTION_REST_MS = 10_000;
