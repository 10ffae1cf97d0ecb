/** How fast mails may follow each other: as the mail server allows. All times in milliseconds. */
export type Pace = {
  /** @returns how long the next mail has to wait */
  waitMs: (now: number) => number;
  /** A mail begins. */
  begin: (now: number) => void;
  /** The mail server has put a mail off. @returns the new gap between mails */
  slowDown: (now: number) => number;
  /** The mail server lets nobody in. @returns how long everything waits */
  holdBack: (now: number) => number;
  /** The mail server has taken a mail. */
  speedUp: () => void;
};

/**
 * No gap at first; each mail that is put off doubles it, from a second to a minute; each that is taken halves it. A mail
 * server that cannot be reached, or refuses the login, is asked again after 10 s, then after twice as long, up to 5 min.
 */
export function createPace(): Pace {
  let gapMs = 0;
  let holdMs = 0;
  let next = 0;
  return {
    // A clock that is set back must not make a gap longer.
    waitMs: (now) => Math.min(Math.max(0, next - now), Math.max(gapMs, holdMs)),
    begin: (now) => {
      next = now + gapMs;
    },
    slowDown: (now) => {
      gapMs = gapMs === 0 ? FIRST_GAP_MS : Math.min(gapMs * 2, MAX_GAP_MS);
      next = Math.max(next, now + gapMs);
      return gapMs;
    },
    holdBack: (now) => {
      // Connections that fail together count once.
      if (holdMs === 0 || now >= next) holdMs = holdMs === 0 ? FIRST_HOLD_MS : Math.min(holdMs * 2, MAX_HOLD_MS);
      next = Math.max(next, now + holdMs);
      return holdMs;
    },
    speedUp: () => {
      holdMs = 0;
      gapMs = gapMs <= FIRST_GAP_MS ? 0 : gapMs / 2;
    },
  };
}

const FIRST_GAP_MS = 1000;
const MAX_GAP_MS = 60_000;
const FIRST_HOLD_MS = 10_000;
const MAX_HOLD_MS = 5 * 60_000;
