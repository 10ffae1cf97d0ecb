import { type Browser, chromium, type Page, test as base } from '@playwright/test';
import { findChromium } from '../../tools/setup/browsers.ts';
import { NEWSLETTER_HOST, TAG_HOST } from '../agencies.ts';
import { MAXIMAL_SITE, listPages, MINIMAL_SITE, TEST_SITE } from '../built-sites.ts';
import { freePort } from '../free-port.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { type Development, startDevelopment } from './development-server.ts';
import { perWorker } from './per-worker.ts';
import { startTagServer, type TagServer } from './tag-server.ts';

export { expect } from '@playwright/test';
export type { Page } from '@playwright/test';

/**
 * The path of every page that a visitor can see: each in the build, an unknown one, and one that an email links to.
 */
export const PAGES = [
  ...listPages(TEST_SITE).map(({ path }) => (path === '/404' ? '/nowhere' : path)),
  '/newsletter/unsubscribe/not-a-token',
];

/** Pages on one server, with the newsletter that they post to on another. */
type Elsewhere = { url: string; newsletter: RunningSite; stop: () => Promise<void> };

/** A worker starts each of these when a test first needs it, and stops it when the worker exits. */
type Servers = {
  /** A site with the test content. */
  site: RunningSite;
  /** The agency MAXIMAL, on a host with a parent domain, as real `www` hosts have. */
  fullSite: RunningSite;
  /** Serves the third-party scripts of the agency MAXIMAL. */
  tags: TagServer;
  /** The agency MINIMAL. */
  elsewhere: Elsewhere;
  development: Development;
  /** Chromium with its back/forward cache. */
  cachingBrowser: Browser;
};

const newsletterPort = await freePort();

/** How long a busy machine takes to start Vite, in milliseconds. */
const DEVELOPMENT_START_MS = 120_000;

/**
 * For tests on the built site with its real server. All worker fixtures are here, since Playwright starts another
 * worker with another browser for a test that needs an additional one.
 */
export const test = base.extend<object, Servers>({
  site: perWorker(startSite),
  fullSite: perWorker(async () => {
    const site = await startSite(MAXIMAL_SITE);
    return { ...site, url: site.url.replace('127.0.0.1', 'www.agency.localhost') };
  }),
  tags: perWorker(startTagServer),
  elsewhere: perWorker(startElsewhere),
  development: perWorker(startDevelopment, DEVELOPMENT_START_MS),
  // Hosts in pages resolve to the test servers; all others fail at once, without network access.
  launchOptions: [
    async ({ launchOptions, tags }, use) => {
      const rules = [
        `MAP ${TAG_HOST} ${new URL(tags.url).host}`,
        `MAP ${NEWSLETTER_HOST} 127.0.0.1:${newsletterPort}`,
        'MAP *localhost 127.0.0.1',
        'MAP * ~NOTFOUND',
        'EXCLUDE 127.0.0.1',
      ];
      await use({ ...launchOptions, args: [...launchOptions.args!, `--host-resolver-rules=${rules.join(', ')}`] });
    },
    { scope: 'worker' },
  ],
  cachingBrowser: [
    async ({ launchOptions }, use) => {
      const browser = await chromium.launch({
        ...launchOptions,
        // The headless shell has no such cache, and Playwright disables Chromium's by default.
        executablePath: findChromium()!,
        ignoreDefaultArgs: ['--disable-back-forward-cache'],
      });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => use({ ...extraHTTPHeaders, 'X-Test-Client': someAddress() }),
});

let addresses = 0;

/** From the documentation range (RFC 3849), each in its own /48, since addresses in one /48 share a limit. */
function someAddress(): string {
  addresses += 1;
  return `2001:db8:${addresses.toString(16)}:${process.pid.toString(16).slice(-4)}::1`;
}

/** Collects a page's errors from now on: uncaught exceptions and console errors. */
export function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return errors;
}

async function startElsewhere(): Promise<Elsewhere> {
  const PORT = String(await freePort());
  const env = { PORT: String(newsletterPort), ALLOWED_ORIGINS: `http://127.0.0.1:${PORT}` };
  const [newsletter, pages] = await Promise.all([
    startSite({ env }),
    startSite({ ...MINIMAL_SITE, env: { ...MINIMAL_SITE.env, PORT } }),
  ]);
  const stop = async () => {
    await pages.stop();
    await newsletter.stop();
  };
  return { url: pages.url, newsletter, stop };
}
