import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';
import { describeError } from '#shared/describe-error.ts';
import { onOwnersClock } from '#shared/owners-clock.ts';
import { runEvery } from '#shared/run-every.ts';
import type { Store } from '../database/open-store.ts';
import type { PageViews } from '../database/schema.ts';

/** Counts page views: one number for each day, page and referring site. Visitors can't be told apart. */
export type PageViewCounter = {
  /** Counts a page that was just sent in response to a request with these headers. */
  count: (page: string, headers: IncomingHttpHeaders) => void;
  /**
   * Writes the counts to the store once a minute.
   * @param log takes one line
   * @returns a function that stops it, and writes the remaining counts
   */
  start: (log: (line: string) => void) => () => Promise<void>;
};

/** @param siteUrl SITE_URL; without it, the request's Host is taken for the site's own */
export function createPageViewCounter(store: Store, siteUrl: string | undefined): PageViewCounter {
  const ownHost = siteUrl && new URL(siteUrl).host;
  const unwritten = new Map<string, PageViews>();
  const sites = { day: '', named: new Set<string>() };
  const add = (row: PageViews) => {
    // No day, page or host contains a line break.
    const key = [row.day, row.page, row.site].join('\n');
    unwritten.set(key, { ...row, views: row.views + (unwritten.get(key)?.views ?? 0) });
  };
  const write = async (log: (line: string) => void) => {
    // Sorted, so two servers can't deadlock.
    const rows = [...unwritten].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
    if (rows.length === 0) return;
    unwritten.clear();
    await addToStore(store, rows).catch((error: unknown) => {
      rows.forEach(add);
      log(`Page views: could not be saved (${describeError(error)}). Retrying in a minute.`);
    });
  };
  return {
    count: (page, headers) => {
      if (!isSeenByPerson(headers)) return;
      const day = onOwnersClock(Date.now()).toPlainDate().toString();
      if (day !== sites.day) Object.assign(sites, { day, named: new Set() });
      const site = readSite(headers.referer, ownHost ?? headers.host);
      const isFull = sites.named.size >= MAX_SITES && !sites.named.has(site);
      sites.named.add(isFull ? 'other' : site);
      add({ day, page, site: isFull ? 'other' : site, views: 1 });
    },
    start: (log) => {
      const stop = runEvery(WRITE_MS, () => write(log));
      return () => stop().then(() => write(log));
    },
  };
}

const WRITE_MS = 60_000;

/** Made-up hosts must not fill memory or the table. */
const MAX_SITES = 500;

/**
 * Whether a person is viewing the page. Excludes robots, prefetches and browsers that ask not to be counted. Sources:
 * Fetch Metadata (Sec-Fetch-Dest, Sec-Purpose), Global Privacy Control (Sec-GPC).
 */
function isSeenByPerson(headers: IncomingHttpHeaders): boolean {
  const { 'user-agent': agent = '', 'sec-purpose': purpose = headers.purpose, dnt } = headers;
  if (headers['sec-gpc'] === '1' || dnt === '1' || /prefetch|prerender|preview/i.test(String(purpose))) return false;
  // Over http, browsers don't send the destination.
  return (headers['sec-fetch-dest'] ?? 'document') === 'document' && agent !== '' && !isbot(agent.slice(0, 500));
}

/**
 * Reads the host of the page that linked here; empty if there is none, or if it is the site itself, an IP address or a
 * local name.
 */
function readSite(referer: string | undefined, ownHost: string | undefined): string {
  const url = URL.parse(referer ?? '');
  if (url === null || !/^(https?|android-app):$/.test(url.protocol) || url.host === ownHost) return '';
  return url.hostname.length <= 253 && PUBLIC_NAME.test(url.hostname) ? url.hostname : '';
}

const PUBLIC_NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]+$/i;

async function addToStore(store: Store, rows: PageViews[]): Promise<void> {
  await store.transaction(async (tx) => {
    for (const row of rows) {
      await tx
        .insertInto('page_views')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'page', 'site'])
            .doUpdateSet((stored) => ({ views: stored('page_views.views', '+', row.views) })),
        )
        .execute();
    }
  });
}
