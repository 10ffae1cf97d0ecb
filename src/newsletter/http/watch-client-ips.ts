import type { IncomingMessage } from 'node:http';

/**
 * Checks whether most visitors come from one IP address, as they do behind a proxy that the settings don't name: they
 * would share one rate limit. Remembers only one address, by Boyer and Moore's majority vote, for an hour.
 * @param readClientIp returns a request's client
 * @param log takes one line, at most once an hour
 * @returns a function that counts a visitor's request
 */
export function watchClientIps(
  readClientIp: (request: IncomingMessage) => string,
  log: (line: string) => void,
): (request: IncomingMessage, now?: number) => void {
  let hour = newHour(-Infinity);
  return (request, now = performance.now()) => {
    if (now - hour.startedAt >= HOUR_MS) hour = newHour(now);
    const address = readClientIp(request);
    hour.visitors += 1;
    if (hour.lead === 0 && address !== hour.candidate) Object.assign(hour, { candidate: address, ofCandidate: 0 });
    hour.lead += address === hour.candidate ? 1 : -1;
    if (address === hour.candidate) hour.ofCandidate += 1;
    if (hour.isReported || hour.visitors < MIN_VISITORS || hour.ofCandidate * 2 <= hour.visitors) return;
    hour.isReported = true;
    const header = 'cf-connecting-ip' in request.headers ? 'CF-Connecting-IP' : 'the header that names the visitor';
    log(
      `Visitors: ${hour.ofCandidate} of the last ${hour.visitors} came from one address, and share one sign-up limit. If the site is behind a proxy or a CDN, set TRUSTED_PROXY_HEADER to ${header}.`,
    );
  };
}

function newHour(startedAt: number) {
  return { startedAt, visitors: 0, candidate: '', lead: 0, ofCandidate: 0, isReported: false };
}

const HOUR_MS = 3600_000;

const MIN_VISITORS = 50;
