import { setTimeout as pause } from 'node:timers/promises';

/** Tells the time, and waits; tests provide their own. */
export type Clock = {
  /** In milliseconds since 1970. */
  now: () => number;
  /** Settles after this many milliseconds, or when `signal` aborts. */
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => pause(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined),
};
