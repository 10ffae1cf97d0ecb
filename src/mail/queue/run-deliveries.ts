import type { Store } from '#store/open-store.ts';
import { releaseUnsent } from './begin-attempt.ts';
import { type Claim, type ClaimedDelivery, claimMails, claimSheetMessages, openMailGate } from './claim.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { adaptivePace, FAST_MS, type Pace } from './pace.ts';
import { failureOutcome, type Outcome } from './record-outcome.ts';
import { type OnFailure, type TurnRecorder, turnRecorder } from './record-turns.ts';
import { releaseInterrupted } from './release-interrupted.ts';

/** Sends one delivery; throws a DeliveryFailure when it did not arrive. */
export type Send = (delivery: ClaimedDelivery) => Promise<void>;

export type RunningDeliveries = {
  /** Something new is queued. */
  wake: () => void;
  /** Claims nothing more; settles when what is under way has arrived or failed, each within its own time-out. */
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
  /** How many mails are on their way at a time. */
  concurrency: number;
  secret: string;
  updates: UpdatesUnderWay;
  onFailure: OnFailure;
  log: (line: string) => void;
}): Promise<RunningDeliveries> {
  const { store, sendMail, sendToSheet, hourlyCap, concurrency, secret, updates, onFailure, log } = options;
  await openMailGate(store);
  // A SQLite file has one server: whatever is claimed was claimed by one that has ended.
  if (store.kind === 'sqlite') await releaseInterrupted(store, 'all', Date.now());
  const expired = expiredClaims(store);
  const workers = [
    startWorker({
      store,
      expired,
      log,
      claim: async (now) => {
        const underWay = await updates.startDue(now);
        const claim = await claimMails(store, { most: CLAIMED_AT_ONCE, hourlyCap, secret, updates: underWay }, now);
        if (claim.claimed.length === 0 && !claim.isCapped) await updates.finish(underWay, now);
        return claim;
      },
      send: sendMail,
      concurrency,
      pace: adaptivePace(),
      onFailure,
    }),
  ];
  if (sendToSheet) {
    // One row after the other: an erasure must not overtake the row that it erases.
    workers.push(
      startWorker({
        store,
        expired,
        log,
        claim: (now) => claimSheetMessages(store, 1, now),
        send: sendToSheet,
        concurrency: 1,
        pace: adaptivePace(),
        onFailure: async () => undefined,
      }),
    );
  }
  return {
    wake: () => {
      for (const worker of workers) worker.wake();
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

/** The updates that are going out. */
export type UpdatesUnderWay = {
  /** Begins what is due. @returns ids of the updates whose mails may go out now */
  startDue: (now: number) => Promise<string[]>;
  /** Ends those of which nothing waits any more. */
  finish: (ids: string[], now: number) => Promise<void>;
};

/** A claim costs the same for one mail as for many; each is looked at once more before it goes out. */
const CLAIMED_AT_ONCE = 100;

/** What has not had its turn by then is given back, since a mail of a higher priority may have come. In milliseconds. */
const CLAIM_AGAIN_AFTER_MS = 5000;

type ExpiredClaims = {
  /** Releases what other servers have left, now and then. */
  release: () => Promise<void>;
  /** The store was away: the other servers first get the time to write their outcomes. */
  postpone: () => void;
};

function expiredClaims(store: Store): ExpiredClaims {
  // Not by the clock, which may be set meanwhile.
  let lookedAt = performance.now();
  return {
    release: async () => {
      if (store.kind === 'sqlite' || performance.now() - lookedAt < RELEASE_EVERY_MS) return;
      lookedAt = performance.now();
      await releaseInterrupted(store, 'expired', Date.now());
    },
    postpone: () => {
      lookedAt = performance.now();
    },
  };
}

const RELEASE_EVERY_MS = 30_000;

type Worker = {
  store: Store;
  expired: ExpiredClaims;
  claim: (now: number) => Promise<Claim>;
  send: Send;
  concurrency: number;
  pace: Pace;
  onFailure: OnFailure;
  log: (line: string) => void;
};

function startWorker(worker: Worker): RunningDeliveries {
  const { store, expired, claim, log } = worker;
  const turns = turnRecorder(store, worker.onFailure, log);
  const sleep = wakeableSleep();
  const stopping = new AbortController();
  let unsent: ClaimedDelivery[] = [];
  const storeFailed = (error: unknown) => {
    log(`Deliveries pause: the store cannot be used (${errorName(error)}).`);
    expired.postpone();
  };

  const run = async () => {
    while (!sleep.isEnded()) {
      sleep.begin();
      try {
        await turns.recordKept();
        await releaseUnsent(store, unsent);
        unsent = [];
        await expired.release();
        const { claimed, idleUntil, isCapped } = await claim(Date.now());
        unsent = claimed;
        await attemptAll(worker, unsent, turns, stopping.signal);
        // New work cannot lift the cap, so it need not end this sleep.
        if (idleUntil !== undefined) await sleep.until(idleUntil, !isCapped);
      } catch (error) {
        storeFailed(error);
        await sleep.until(Date.now() + STORE_PAUSE_MS, false);
      }
    }
    await recordBeforeStop(turns, log);
    // Where the store is away they are released later, as after a crash.
    await releaseUnsent(store, unsent).catch(() => undefined);
  };
  const running = run();

  return {
    wake: sleep.wake,
    stop: async () => {
      sleep.end();
      stopping.abort();
      await running;
    },
  };
}

const STORE_PAUSE_MS = 5000;

/** A sleep that new work may end early. */
function wakeableSleep() {
  let isEnded = false;
  let isWoken = false;
  let sleeping: { end: () => void; isWakeable: boolean } | undefined;
  return {
    /** Whatever wakes from now on is new. */
    begin: () => {
      isWoken = false;
    },
    until: async (time: number, isWakeable: boolean) => {
      if (isEnded || (isWoken && isWakeable)) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(Math.max(0, time - Date.now()), LONGEST_SLEEP_MS));
        const end = () => {
          clearTimeout(timer);
          resolve();
        };
        sleeping = { end, isWakeable };
      });
      sleeping = undefined;
    },
    wake: () => {
      isWoken = true;
      if (sleeping?.isWakeable) sleeping.end();
    },
    isEnded: () => isEnded,
    /** For good. */
    end: () => {
      isEnded = true;
      sleeping?.end();
    },
  };
}

/** A clock that is set meanwhile must not leave a worker asleep for long. */
const LONGEST_SLEEP_MS = 60_000;

/**
 * Attempts all that is claimed, as many at a time as the worker may; what has gone out is taken out of `claimed`.
 * @throws what the store throws, when all attempts have ended
 */
async function attemptAll(
  worker: Worker,
  claimed: ClaimedDelivery[],
  turns: TurnRecorder,
  stopping: AbortSignal,
): Promise<void> {
  const waiting = [...claimed];
  const until = performance.now() + CLAIM_AGAIN_AFTER_MS;
  const takeNow = () => (stopping.aborted || performance.now() > until ? undefined : waiting.shift());
  const queue: Queue = {
    takeNow,
    takeInTurn: async () => {
      if (waiting.length > 0) await worker.pace.turn(stopping);
      return takeNow();
    },
    putBack: (delivery) => waiting.unshift(delivery),
    goesOut: (delivery) => claimed.splice(claimed.indexOf(delivery), 1),
    isEnded: () => stopping.aborted,
  };
  const connection = async () => {
    const leave = turns.join();
    await runConnection(worker, queue, turns).finally(leave);
  };
  for (const result of await Promise.allSettled(Array.from({ length: worker.concurrency }, connection))) {
    if (result.status === 'rejected') throw result.reason;
  }
}

/** What is claimed and has not gone out, shared by the connections of a worker. */
type Queue = {
  /** @returns undefined where none is left, or what is left is to be given back */
  takeNow: () => ClaimedDelivery | undefined;
  /** The same, when the mail server's pace allows it. */
  takeInTurn: () => Promise<ClaimedDelivery | undefined>;
  putBack: (delivery: ClaimedDelivery) => void;
  goesOut: (delivery: ClaimedDelivery) => void;
  isEnded: () => boolean;
};

/** A delivery that has begun, and when it was asked whether it may go out (`performance.now()`). */
type Ready = { delivery: ClaimedDelivery; askedAt: number };

/**
 * Sends one delivery after the other. Where they follow each other fast, the end of the last and the beginning of the
 * next are written while one is on its way, so that nothing waits for the disk. docs/decisions/updates.md says what a
 * kill finds then, and how long before it goes out a delivery was looked at.
 */
async function runConnection(worker: Worker, queue: Queue, turns: TurnRecorder): Promise<void> {
  let ended: Outcome | undefined;
  let ready: Ready | undefined;
  for (;;) {
    const mayGoOut = ready && ended?.state === 'sent' && worker.pace.isFast() && !queue.isEnded();
    if (!ready || !mayGoOut || performance.now() - ready.askedAt > FAST_MS) {
      if (ready) queue.putBack(ready.delivery);
      // Where mails wait for each other, an outcome does not wait with them.
      if (ended && worker.pace.isSlow()) {
        await turns.record({ ended });
        ended = undefined;
      }
      const next = await queue.takeInTurn();
      if (!ended && !next) return;
      const askedAt = performance.now();
      const hasBegun = await turns.record({ ended, next });
      if (!next) return;
      ended = undefined;
      ready = hasBegun ? { delivery: next, askedAt } : undefined;
      if (!ready) continue;
    }
    ({ ended, ready } = await sendAmidTurn(ready.delivery, ended, { worker, queue, turns }));
  }
}

/** Sends a delivery; meanwhile writes how the last one ended, and begins the next one where they follow each other fast. */
async function sendAmidTurn(
  delivery: ClaimedDelivery,
  last: Outcome | undefined,
  { worker, queue, turns }: { worker: Worker; queue: Queue; turns: TurnRecorder },
): Promise<{ ended: Outcome; ready: Ready | undefined }> {
  queue.goesOut(delivery);
  const sending = attempt(delivery, worker);
  const next = worker.pace.isFast() ? queue.takeNow() : undefined;
  const askedAt = performance.now();
  let hasBegun = false;
  try {
    if (last || next) hasBegun = await turns.record({ ended: last, next });
  } catch (error) {
    await turns.record({ ended: await sending });
    throw error;
  }
  return { ended: await sending, ready: next && hasBegun ? { delivery: next, askedAt } : undefined };
}

async function attempt(delivery: ClaimedDelivery, { send, pace, log }: Worker): Promise<Outcome> {
  const begun = performance.now();
  try {
    await send(delivery);
    pace.speedUp(performance.now() - begun);
    return { delivery, at: Date.now(), state: 'sent' };
  } catch (error) {
    const failure = error instanceof DeliveryFailure ? error : new DeliveryFailure(`internal: ${errorName(error)}`);
    const outcome = failureOutcome(delivery, failure, Date.now());
    const next = outcome.state === 'waiting' ? `next try in ${forPeople(outcome.dueAt - Date.now())}` : 'given up';
    log(`Delivery ${delivery.id} (${delivery.kind}), attempt ${delivery.attempts}: ${failure.message}; ${next}.`);
    if (failure.refused === 'pace') log(`The mail server asks for time: one mail every ${forPeople(pace.slowDown())}.`);
    return outcome;
  }
}

/** The store may be away while the server stops: then outcomes wait for it a little longer. */
async function recordBeforeStop(turns: TurnRecorder, log: (line: string) => void): Promise<void> {
  const until = performance.now() + RECORD_BEFORE_STOP_MS;
  while (turns.countKept() > 0) {
    try {
      await turns.recordKept();
    } catch (error) {
      if (performance.now() > until) {
        const what = `${turns.countKept()} deliveries could not be recorded`;
        log(`${what} before the stop (${errorName(error)}); they may go out again.`);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** In milliseconds. */
export const RECORD_BEFORE_STOP_MS = 10_000;

function errorName(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  return code ?? name ?? 'unknown';
}

function forPeople(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  if (minutes < 2) return `${Math.round(milliseconds / 1000)} s`;
  return minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}
