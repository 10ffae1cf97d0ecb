import type { IncomingHttpHeaders } from 'node:http';
import { isBot } from 'isbot';

/**
 * Whether a request for a page shows it to somebody who lets it be counted. Sources: the Fetch Metadata specification
 * (Sec-Fetch-Dest, Sec-Purpose), the Global Privacy Control specification (Sec-GPC).
 */
export function mayBeCounted(headers: IncomingHttpHeaders): boolean {
  if (headers['sec-gpc'] === '1' || headers.dnt === '1') return false;
  if ([headers['sec-purpose'], headers.purpose].some((purpose) => EARLY.test(String(purpose)))) return false;
  // Browsers name the destination on https, and on http leave it out.
  return (headers['sec-fetch-dest'] ?? 'document') === 'document' && isBrowser(headers['user-agent']);
}

/** The browser fetches the page before anybody asks for it, and they may never see it. */
const EARLY = /prefetch|prerender|preview/i;

/** Every browser names itself, and none at such length. */
function isBrowser(agent = ''): boolean {
  return agent !== '' && agent.length <= MAX_AGENT_LENGTH && !isBot(agent);
}

const MAX_AGENT_LENGTH = 1000;
