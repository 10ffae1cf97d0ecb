import type { BrowserContext } from '@playwright/test';
import type { RunningSite } from '../running-site.ts';
import { BUILD_MS, perWorker } from './per-worker.ts';
import { type Page, test } from './site.ts';
import { startTagServer, type TagServer } from './tag-server.ts';
import { startTaggedSite } from './tagged-site.ts';

/**
 * Tests on a site whose tags come from a server of the tests.
 * @param listTags the tags, given the address of that server
 */
export function extendWithTags(listTags: (server: string) => object[]) {
  return test.extend<object, { tags: TagServer; site: RunningSite }>({
    tags: perWorker(startTagServer),
    site: [
      async ({ tags }, use) => {
        const site = await startTaggedSite(listTags(tags.url));
        await use(site);
        await site.stop();
      },
      { scope: 'worker', timeout: BUILD_MS },
    ],
  });
}

/** Cookies of every path and domain, and keys of both storages, but for the site's own. */
export async function storedIn(context: BrowserContext, page: Page): Promise<string[]> {
  const cookies = (await context.cookies()).map(({ name, domain, path }) => `${name} ${domain}${path}`);
  const keys = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  return [...cookies, ...keys.filter((key) => !key.startsWith('cookie_'))];
}
