/**
 * Limits how often each client may do something: a number at once, then one for each interval (GCRA).
 * Kept in memory: a restart forgets it, and every instance counts for itself.
 * @param limits.atOnce how many a client may do without a pause
 * @param limits.intervalMs after how many milliseconds one more is allowed
 * @returns for a client and a time in milliseconds of a clock that is never set: 0 when it may, else the seconds to
 *   wait
 */
export function createRateLimit(limits: RateLimit): (client: string, now?: number) => number {
  const tolerance = (limits.atOnce - 1) * limits.intervalMs;
  const freeAt = new Map<string, number>();
  return (client, now = performance.now()) => {
    const next = Math.max(freeAt.get(client) ?? 0, now);
    const wait = next - tolerance - now;
    if (wait > 0) return Math.ceil(wait / 1000);
    if (freeAt.size >= MAX_CLIENTS && !freeAt.has(client)) freeAt.clear();
    const free = next + limits.intervalMs;
    freeAt.set(client, free);
    // The privacy policy: an IP address is kept no longer than it is needed.
    setTimeout(() => freeAt.get(client) === free && freeAt.delete(client), free - now).unref();
    return 0;
  };
}

type RateLimit = { atOnce: number; intervalMs: number };

/** The sign-ups of one client: enough for an office behind one IP address, too few for a flood. */
export const SIGN_UP_LIMIT: RateLimit = { atOnce: 20, intervalMs: 30_000 };

/** The map is then emptied, to bound memory: a flood from so many clients is not stopped by limits for each. */
const MAX_CLIENTS = 100_000;
