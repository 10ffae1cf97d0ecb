import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import { expectNoFindingsAt, expectToFit } from '../accessibility/no-findings.ts';
import { buildInto, TEST_SITE } from '../built-sites.ts';
import { startSite } from '../running-site.ts';
import { makeDeskLink } from '../sign-in.ts';
import { TEST_CONTENT } from '../test-content.ts';
import { seedList } from './desk-list.ts';

/** A running server with a list, and the page that a file's tests share, signed in to its desk. */
export type OpenDesk = {
  page: Page;
  /** The URL of the desk. */
  url: string;
  siteUrl: string;
  /** CONTENT_DIR: a copy of the test content, with PRIVATE_DIR in it. */
  folder: string;
  /** The server's data folder. */
  dataDir: string;
  /** The folder of the content that visitors see once something has been published. */
  findPublished: () => string;
  /** Stops the server. */
  stop: () => Promise<unknown>;
  /** Starts it again, with the same data at the same URL. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
};

/** @param options.prepare changes the folder before a site is built from it */
export async function openDesk(
  browser: Browser,
  {
    people,
    sending = {},
    prepare,
  }: { people: number; sending?: Record<string, string>; prepare?: (folder: string) => void },
): Promise<OpenDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-content-'));
  cpSync(TEST_CONTENT, folder, { recursive: true });
  // Beside the other builds: publishing needs the project's packages.
  const build = prepare === undefined ? undefined : join(mkdtempSync(join(dirname(TEST_SITE), 'desk-')), 'build');
  if (build !== undefined) {
    prepare?.(folder);
    cpSync(TEST_SITE, build, { recursive: true });
    await buildInto(build, { CONTENT_DIR: folder }, '--content');
  }
  const env = { CONTENT_DIR: folder, PRIVATE_DIR: join(folder, 'private'), ...sending };
  const start = (further: { env?: Record<string, string>; dataDir?: string } = {}) =>
    startSite({ ...further, env: { ...env, ...further.env }, isDeskLocal: true, ...(build && { build }) });
  let site = await start();
  const { url, dataDir } = site;
  if (people > 0) await seedList(dataDir, people);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(await makeDeskLink(site));
  await page.getByRole('button', { name: 'Sign in on this browser' }).click();
  // The desk first asks for the owner's address.
  await page.getByRole('link', { name: 'Today' }).click();
  return {
    page,
    url: `${url}/desk`,
    siteUrl: url,
    folder,
    dataDir: site.dataDir,
    findPublished: () => {
      const sites = join(dataDir, 'sites');
      const byAge = readdirSync(sites).toSorted(
        (a, b) => statSync(join(sites, b)).mtimeMs - statSync(join(sites, a)).mtimeMs,
      );
      return join(sites, byAge[0]!, 'content');
    },
    stop: () => site.pause(),
    restart: async () => {
      site = await start({ env: { PORT: new URL(url).port }, dataDir });
    },
    close: async () => {
      await context.close();
      await site.stop();
      rmSync(folder, { recursive: true });
      if (build !== undefined) rmSync(dirname(build), { recursive: true });
    },
  };
}

/** Actions on the page that a file’s tests share; it is opened before the first test. */
export function deskActions(findPage: () => Page) {
  return {
    /** Runs axe in light and dark, on a phone and a wide screen; the page also has to fit the narrowest phone. */
    expectAccessible: async () => {
      await expectToFit(findPage(), 320);
      await expectNoFindingsAt(findPage(), [390, 1440]);
    },
    /** Follows a link in the desk's bar. */
    open: async (name: string) => {
      const link = findPage().getByRole('navigation', { name: 'Desk' }).getByRole('link', { name });
      await link.click();
      // The previous page could still be showing.
      await expect(link).toHaveAttribute('aria-current', 'page');
    },
    press: (name: string | RegExp) => findPage().getByRole('button', { name }).click(),
    heading: () => findPage().getByRole('heading', { level: 1 }),
  };
}
