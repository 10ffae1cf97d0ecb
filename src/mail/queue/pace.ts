import { setTimeout as pause } from 'node:timers/promises';

/** How fast mails may follow each other: as the mail server allows. */
export type Pace = {
  /** Settles when the next mail may begin, or at once when `signal` aborts. */
  turn: (signal: AbortSignal) => Promise<void>;
  /** Whether the next mail has to wait. */
  isSlow: () => boolean;
  /** Whether mails follow each other so fast that the next one should be ready when one has been taken. */
  isFast: () => boolean;
  /** The mail server has refused for the pace. @returns the new gap between mails in milliseconds */
  slowDown: () => number;
  /** The mail server has taken a mail, in so many milliseconds. */
  speedUp: (tookMs: number) => void;
};

/** No gap at first; each refusal doubles it, from a second to a minute; each mail that is taken halves it. */
export function adaptivePace(): Pace {
  let gap = 0;
  let next = 0;
  let lastTookMs = Infinity;
  return {
    turn: async (signal) => {
      if (gap === 0) return;
      const at = Math.max(performance.now(), next);
      next = at + gap;
      // Aborted means that the server stops: the caller sees that itself.
      await pause(Math.max(0, at - performance.now()), undefined, { signal }).catch(() => undefined);
    },
    isSlow: () => gap > 0,
    isFast: () => gap === 0 && lastTookMs < FAST_MS,
    slowDown: () => {
      gap = gap === 0 ? FIRST_GAP_MS : Math.min(gap * 2, LONGEST_GAP_MS);
      next = Math.max(next, performance.now() + gap);
      return gap;
    },
    speedUp: (tookMs) => {
      lastTookMs = tookMs;
      gap = gap <= FIRST_GAP_MS ? 0 : gap / 2;
    },
  };
}

const FIRST_GAP_MS = 1000;
const LONGEST_GAP_MS = 60_000;

/** A mail that takes longer, in milliseconds, is not waited for with the next one ready. */
export const FAST_MS = 50;
