import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTaggedSite } from './tagged-site.ts';
import { startTagServer, type TagServer } from '../e2e/tag-server.ts';
import type { RunningSite } from '../running-site.ts';
import { content } from '../test-content.ts';
import type { Browser } from './browser.ts';

const { consent, privacyPolicy } = content;

/**
 * Tests a visit in a browser that `open` starts: withdrawing consent, and the menu when the screen is rotated.
 */
export function walk(open: () => Promise<Browser>): void {
  let browser: Browser;
  let tags: TagServer;
  let site: RunningSite;

  beforeAll(async () => {
    browser = await open();
    tags = await startTagServer();
    site = await startTaggedSite(tags.url);
  });

  // The browser first, since the server waits for its connections to close.
  afterAll(async () => {
    await browser.close();
    await site.stop();
    await tags.stop();
  });

  test('a tag runs only with consent; denying clears what it stored, and persists', async () => {
    await browser.open(site.url);
    await expectShown(browser, button(consent.banner.allowAll));
    expect(tags.requests()).toEqual([]);
    await browser.click(button(consent.banner.allowAll));
    await expect.poll(tags.requests).toContain('POST /collect');
    expect(await kept(browser)).not.toEqual([]);

    await browser.click('//footer//a[contains(@href, "#cookies")]');
    await expectShown(browser, button(consent.banner.denyNonEssential));
    await browser.click(button(consent.banner.denyNonEssential));
    await expect.poll(() => kept(browser)).toEqual([]);
    tags.forget();
    await browser.open(`${site.url}/privacy-policy`);
    await expectShown(browser, `//h1[. = ${quoted(privacyPolicy.heading)}]`);
    expect(tags.requests()).toEqual([]);
    await expect.poll(() => kept(browser)).toEqual([]);
    expect(await browser.evaluate(() => localStorage.getItem('cookie_consent'))).toBe('essential');
  });

  test('the closed menu doesn’t cover the page after loading or resizing', async () => {
    const isCovered = () =>
      browser.evaluate(() => document.elementFromPoint(innerWidth / 2, innerHeight / 3)?.closest('nav') !== null);
    await browser.resize(390, 844);
    await browser.open(`${site.url}/privacy-policy`);
    expect(await isCovered()).toBe(false);
    await browser.resize(1280, 800);
    await browser.resize(390, 844);
    expect(await isCovered()).toBe(false);
  });
}

/** Names of cookies and of keys in both storages, except the site's own. */
function kept(browser: Browser): Promise<string[]> {
  return browser.evaluate(() => {
    const cookies = document.cookie.split('; ').filter(Boolean);
    const keys = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    return [...cookies, ...keys.filter((key) => !key.startsWith('cookie_'))];
  });
}

async function expectShown(browser: Browser, xpath: string): Promise<void> {
  await expect.poll(() => isVisible(browser, xpath), { message: `${xpath} to be seen` }).toBe(true);
}

/** Whether an element is visible; false during a navigation. */
async function isVisible(browser: Browser, xpath: string): Promise<boolean> {
  const look = (path: string) => {
    const found = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue;
    return found instanceof Element && found.checkVisibility({ visibilityProperty: true });
  };
  return browser.evaluate(look, xpath).catch(() => false);
}

function button(name: string): string {
  return `//button[normalize-space() = ${quoted(name)}]`;
}

/** A string literal for XPath, which has no escapes, so the text can't contain both kinds of quotes. */
function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}
