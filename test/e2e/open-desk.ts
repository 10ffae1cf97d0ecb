import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import { expectNoFindingsAt, expectToFit } from '../accessibility/no-findings.ts';
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
  /** CONTENT_DIR: a copy of the tests' content, with PRIVATE_DIR in it. */
  folder: string;
  /** Stops the server. */
  stop: () => Promise<unknown>;
  /** Starts it again, with the same data at the same URL. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
};

/** @param options.prepare changes the folder before anything reads it */
export async function openDesk(
  browser: Browser,
  {
    people,
    sending = {},
    prepare = () => undefined,
  }: { people: number; sending?: Record<string, string>; prepare?: (folder: string) => void },
): Promise<OpenDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-content-'));
  cpSync(TEST_CONTENT, folder, { recursive: true });
  prepare(folder);
  const env = { CONTENT_DIR: folder, PRIVATE_DIR: join(folder, 'private'), ...sending };
  let site = await startSite({ env, isDeskLocal: true });
  const { url, dataDir } = site;
  if (people > 0) await seedList(dataDir, people);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(await makeDeskLink(site));
  await page.getByRole('button', { name: 'Sign in on this browser' }).click();
  // It asks first for her address.
  await page.getByRole('link', { name: 'Today' }).click();
  return {
    page,
    url: `${url}/desk`,
    siteUrl: url,
    folder,
    stop: () => site.pause(),
    restart: async () => {
      site = await startSite({ env: { ...env, PORT: new URL(url).port }, dataDir, isDeskLocal: true });
    },
    close: async () => {
      await context.close();
      await site.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A file’s tests share one page, which is opened before the first of them. */
export function workOn(findPage: () => Page) {
  return {
    /** In light and dark, on a phone and on a wide screen; on the narrowest phone it fits as well. */
    expectWellMade: async () => {
      await expectToFit(findPage(), 320);
      await expectNoFindingsAt(findPage(), [390, 1440]);
    },
    /** Follows a link of the desk's bar. */
    open: async (name: string) => {
      const link = findPage().getByRole('navigation', { name: 'Desk' }).getByRole('link', { name });
      await link.click();
      // The page before could still be shown.
      await expect(link).toHaveAttribute('aria-current', 'page');
    },
    press: (name: string | RegExp) => findPage().getByRole('button', { name }).click(),
    heading: () => findPage().getByRole('heading', { level: 1 }),
  };
}
