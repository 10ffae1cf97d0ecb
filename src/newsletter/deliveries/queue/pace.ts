/**
 * The pace of sending. At first, there is no gap between emails. Each deferred email doubles it, from a second to a
 * minute; each accepted email halves it. If the mail server can't be reached or rejects the login, it is retried after
 * 10 s, then after twice as long, up to 5 min. All times are in milliseconds.
 */
export function createPace() {
  let gapMs = 0;
  let holdMs = 0;
  let next = 0;
  return {
    /** How long the next email has to wait. */
    waitMs: (now: number) => Math.max(0, next - now),
    /** Call when an email is being sent. */
    recordStart: (now: number) => {
      next = now + gapMs;
    },
    /** Call when the mail server has deferred an email. @returns the new gap between emails */
    slowDown: (now: number) => {
      gapMs = gapMs === 0 ? FIRST_GAP_MS : Math.min(gapMs * 2, MAX_GAP_MS);
      next = Math.max(next, now + gapMs);
      return gapMs;
    },
    /** Call when the mail server can't be reached or rejects the login. @returns how long everything waits */
    backOff: (now: number) => {
      // Connections that fail at the same time count once.
      if (holdMs === 0 || now >= next) holdMs = holdMs === 0 ? FIRST_HOLD_MS : Math.min(holdMs * 2, MAX_HOLD_MS);
      next = Math.max(next, now + holdMs);
      return holdMs;
    },
    /** Call when the mail server has accepted an email. */
    speedUp: () => {
      holdMs = 0;
      gapMs = gapMs <= FIRST_GAP_MS ? 0 : gapMs / 2;
    },
  };
}

export type Pace = ReturnType<typeof createPace>;

const FIRST_GAP_MS = 1000;
const MAX_GAP_MS = 60_000;
const FIRST_HOLD_MS = 10_000;
const MAX_HOLD_MS = 5 * 60_000;
