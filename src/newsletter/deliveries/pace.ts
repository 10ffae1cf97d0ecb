/**
 * No gap at first; each mail that is put off doubles it, from a second to a minute; each that is taken halves it. A
 * mail server that cannot be reached, or refuses the login, is asked again after 10 s, then after twice as long, up to
 * 5 min. All times are in milliseconds.
 */
export function createPace() {
  let gapMs = 0;
  let holdMs = 0;
  let next = 0;
  return {
    /** How long the next mail has to wait. A clock that is set back must not make it longer. */
    waitMs: (now: number) => Math.min(Math.max(0, next - now), Math.max(gapMs, holdMs)),
    /** A mail begins.*/
    recordStart: (now: number) => {
      next = now + gapMs;
    },
    /** The mail server has put a mail off. @returns the new gap between mails */
    slowDown: (now: number) => {
      gapMs = gapMs === 0 ? FIRST_GAP_MS : Math.min(gapMs * 2, MAX_GAP_MS);
      next = Math.max(next, now + gapMs);
      return gapMs;
    },
    /** The mail server rejects every login. @returns how long everything waits */
    backOff: (now: number) => {
      // Connections that fail together count once.
      if (holdMs === 0 || now >= next) holdMs = holdMs === 0 ? FIRST_HOLD_MS : Math.min(holdMs * 2, MAX_HOLD_MS);
      next = Math.max(next, now + holdMs);
      return holdMs;
    },
    /** The mail server has taken a mail. */
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
