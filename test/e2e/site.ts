import { type LaunchOptions, type Page, test as base } from '@playwright/test';
import { listPages, TEST_SITE } from '../built-sites.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { perWorker } from './per-worker.ts';

export { expect } from '@playwright/test';
export type { Page } from '@playwright/test';

/**
 * The address of every page that a visitor can meet: each of the build, one that is not there, one of a mail's links.
 */
export const PAGES = [
  ...listPages(TEST_SITE).map(({ path }) => (path === '/404' ? '/nowhere' : path)),
  '/newsletter/unsubscribe/not-a-token',
];

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

/** The errors of a page from now on: exceptions that nothing catches, and errors in the console. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

/** Leads the browser to a server of the tests from a host that pages name, such as `localhost:7001`. */
export function mapHost(options: LaunchOptions, host: string, server: string): LaunchOptions {
  const rule = `--host-resolver-rules=MAP ${host} ${new URL(server).host}`;
  return { ...options, args: [...(options.args ?? []), rule] };
}
