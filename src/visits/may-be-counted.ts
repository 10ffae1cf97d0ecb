import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a request for a page shows it to somebody who lets it be counted. Sources: the Fetch Metadata specification
 * (Sec-Fetch-Dest, Sec-Purpose), the Global Privacy Control specification (Sec-GPC).
 */
export function mayBeCounted(headers: IncomingHttpHeaders): boolean {
  if (headers['sec-gpc'] === '1' || headers.dnt === '1') return false;
  if (EARLY.test(toText(headers['sec-purpose'])) || EARLY.test(toText(headers.purpose))) return false;
  // Browsers name the destination on https, and on http leave it out.
  return (headers['sec-fetch-dest'] ?? 'document') === 'document';
}

/** The browser fetches the page before anybody asks for it, and they may never see it. */
const EARLY = /prefetch|prerender|preview/i;

function toText(header: string | string[] | undefined): string {
  return String(header ?? '');
}
