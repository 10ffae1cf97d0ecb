import { test as base } from '@playwright/test';
import { type RunningSite, startSite } from '../running-site.ts';
import { perWorker } from './per-worker.ts';

export { expect } from '@playwright/test';
export type { Page } from '@playwright/test';

/** Tests on the built site with its real receiver; one server for each worker. */
export const test = base.extend<object, { site: RunningSite }>({
  site: perWorker(startSite),
  baseURL: async ({ site }, use) => use(site.url),
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => use({ ...extraHTTPHeaders, 'X-Test-Client': someAddress() }),
});

let addresses = 0;

/** Of the range kept for documentation and tests (RFC 3849), each in a /48 of its own, since these share a limit. */
function someAddress(): string {
  addresses += 1;
  return `2001:db8:${addresses.toString(16)}:${process.pid.toString(16).slice(-4)}::1`;
}
