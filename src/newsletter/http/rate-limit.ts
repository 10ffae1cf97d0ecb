import { toNetwork48 } from './client-ip.ts';

/**
 * Limits how often each client may do something: a burst, then one per interval (GCRA). The counts are in memory: a
 * restart clears them, and every instance has its own.
 * @param limits.atOnce how many times a client may do it without a pause
 * @param limits.intervalMs the milliseconds after which the client may do it once more
 * @returns a function of a client and a time in milliseconds on a monotonic clock: 0 if the client may go ahead,
 *   otherwise the seconds to wait
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
    // The privacy policy promises that an IP address is kept no longer than it is needed.
    setTimeout(() => freeAt.get(client) === free && freeAt.delete(client), free - now).unref();
    return 0;
  };
}

type RateLimit = { atOnce: number; intervalMs: number };

/**
 * Limits the sign-ups of each IP address, and of each IPv6 /48, which one client may own entirely.
 * @returns a function of an address as createClientIpReader returns it: 0 if the client may sign up, otherwise the
 *   seconds to wait
 */
export function createSignUpLimit(): (address: string, now?: number) => number {
  const limitClient = createRateLimit(CLIENT_LIMIT);
  const limitNetwork = createRateLimit(NETWORK_LIMIT);
  return (address, now) => {
    const wait = limitClient(address, now);
    return wait === 0 && address.includes(':') ? limitNetwork(toNetwork48(address), now) : wait;
  };
}

/** Enough for an office behind one IP address, too few for a flood. */
const CLIENT_LIMIT: RateLimit = { atOnce: 20, intervalMs: 30_000 };

/** A provider may give each /64 in it to a different household. */
const NETWORK_LIMIT: RateLimit = { atOnce: 100, intervalMs: 6000 };

/** With more clients the map is emptied, to bound its memory: a limit for each doesn't stop a flood from that many. */
const MAX_CLIENTS = 100_000;
