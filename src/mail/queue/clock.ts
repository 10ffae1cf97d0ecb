import { setTimeout as pause } from 'node:timers/promises';

/** The time, and waiting for it; tests set their own. */
export type Clock = {
  /** In milliseconds since 1970. */
  now: () => number;
  /** Settles after so many milliseconds, or when `signal` aborts. */
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => pause(milliseconds, undefined, { signal }).catch(() => undefined),
};

/** A sleep that new work may end early. */
export function createSleep(clock: Clock) {
  const ended = new AbortController();
  let woken = new AbortController();
  return {
    /** A call of `wake` from now on ends the next sleep. */
    arm: () => {
      if (woken.signal.aborted) woken = new AbortController();
    },
    /** @param isWakeable false where new work cannot begin earlier either */
    until: async (time: number, isWakeable: boolean) => {
      const signal = isWakeable ? AbortSignal.any([ended.signal, woken.signal]) : ended.signal;
      if (signal.aborted) return;
      await clock.sleep(Math.min(Math.max(0, time - clock.now()), MAX_SLEEP_MS), signal);
    },
    wake: () => woken.abort(),
    /** Ends this sleep and all that follow. */
    end: () => ended.abort(),
  };
}

/** A clock that is set while a worker sleeps must not leave it asleep for long. */
const MAX_SLEEP_MS = 60_000;
