import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import { expectNoFindingsAt, expectToFit } from '../accessibility/no-findings.ts';
import { buildInto, TEST_SITE } from '../built-sites.ts';
import { type RunningDesk, startDesk } from '../running-desk.ts';
import { startSite } from '../running-site.ts';
import { TEST_CONTENT } from '../test-content.ts';
import { seedList } from './desk-list.ts';

/** A desk beside a running server with a list, and the page that a file's tests share. */
export type OpenDesk = {
  page: Page;
  desk: RunningDesk;
  siteUrl: string;
  /** CONTENT_DIR: a copy of the tests' content, with PRIVATE_DIR in it. */
  folder: string;
  /** The folder of the content that visitors see once something is published. */
  findPublished: () => string;
  /** Starts another desk on the same list and port once the first has ended. */
  restart: () => Promise<RunningDesk>;
  close: () => Promise<void>;
};

/** @param options.prepare changes the folder before a site is built of it */
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
  const build = prepare === undefined ? undefined : join(mkdtempSync(join(tmpdir(), 'desk-build-')), 'build');
  if (build !== undefined) {
    prepare?.(folder);
    cpSync(TEST_SITE, build, { recursive: true });
    await buildInto(build, { CONTENT_DIR: folder }, '--content');
  }
  const site = await startSite({ env: { CONTENT_DIR: folder, ...sending }, ...(build && { build }) });
  if (people > 0) await seedList(site.dataDir, people);
  const settings = {
    DATA_DIR: site.dataDir,
    PRIVATE_DIR: join(folder, 'private'),
    CONTENT_DIR: folder,
    SITE_URL: site.url,
    ...sending,
  };
  const desks = [await startDesk(settings, '0', build)];
  const [desk] = desks as [RunningDesk];
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(desk.address);
  return {
    page,
    desk,
    siteUrl: site.url,
    folder,
    findPublished: () => {
      const sites = join(site.dataDir, 'sites');
      const byAge = readdirSync(sites).toSorted(
        (a, b) => statSync(join(sites, b)).mtimeMs - statSync(join(sites, a)).mtimeMs,
      );
      return join(sites, byAge[0]!, 'content');
    },
    restart: async () => {
      const again = await startDesk(settings, new URL(desk.url).port, build);
      desks.push(again);
      return again;
    },
    close: async () => {
      await context.close();
      for (const each of desks) await each.stop();
      await site.stop();
      rmSync(folder, { recursive: true });
      if (build !== undefined) rmSync(dirname(build), { recursive: true });
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
