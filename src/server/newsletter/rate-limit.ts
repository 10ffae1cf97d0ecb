/**
 * Limits how often each client may do something: a number at once, then one for each interval (GCRA).
 * Kept in memory: after a restart everybody begins anew, and every instance counts for itself.
 * @param limits.atOnce how many a client may do without a pause
 * @param limits.intervalMs milliseconds after which one more is allowed
 * @returns for a client and a time in milliseconds: 0 when it may, else the seconds to wait
 */
export function rateLimit(limits: { atOnce: number; intervalMs: number }): (client: string, now: number) => number {
  const tolerance = (limits.atOnce - 1) * limits.intervalMs;
  const freeAt = new Map<string, number>();
  return (client, now) => {
    const next = Math.max(freeAt.get(client) ?? 0, now);
    const wait = next - tolerance - now;
    if (wait > 0) return Math.ceil(wait / 1000);
    // Set anew, the entry moves to the end: the map stays in order of use.
    freeAt.delete(client);
    freeAt.set(client, next + limits.intervalMs);
    if (freeAt.size > MOST_CLIENTS) evictLongestUnused(freeAt);
    return 0;
  };
}

const MOST_CLIENTS = 100_000;

function evictLongestUnused(freeAt: Map<string, number>): void {
  const [longest] = freeAt.keys();
  if (longest !== undefined) freeAt.delete(longest);
}
