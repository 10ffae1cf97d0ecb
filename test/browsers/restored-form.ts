import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSite, startSite } from '../running-site.ts';
import { content } from '../test-content.ts';
import type { Browser } from './browser.ts';

const patient = { timeout: 10_000, interval: 50 };

const EMAIL = '(//form)[1]//input[@type = "email"]';
const CONSENT = '(//form)[1]//input[@type = "checkbox"]';
const JOIN = '(//form)[1]//button[@type = "submit"]';

/** A form that the browser fills in again after a reload, without an event, in a browser that `open` opens. */
export function restoredForm(open: () => Promise<Browser>): void {
  let browser: Browser;
  let site: RunningSite;

  beforeAll(async () => {
    browser = await open();
    site = await startSite({ env: { TRUSTED_PROXY_HEADER: '' } });
  });

  // The last hook runs first: a server that stops waits for what a browser keeps open.
  afterAll(async () => {
    await browser.close();
    await site.stop();
  });

  test('what the browser restores after a reload is what is sent', async () => {
    await browser.open(site.url);
    await browser.evaluate(() => {
      localStorage.setItem('cookie_consent', 'essential');
      localStorage.setItem('cookie_consent_timestamp', String(Date.now()));
    });
    await browser.open(site.url);
    await browser.click(CONSENT);
    // The list's last role, as a hand would.
    await browser.evaluate(() => document.querySelector<HTMLSelectElement>('form select')!.focus());
    await browser.press('End');
    await browser.type(EMAIL, 'restored@example.org');
    await browser.evaluate(() => {
      Object.assign(window, { isOld: true });
      location.reload();
    });
    const isReloaded = () =>
      browser.evaluate(() => !('isOld' in window) && document.readyState === 'complete').catch(() => false);
    await expect.poll(isReloaded, patient).toBe(true);
    expect(await readFields()).toEqual(['restored@example.org', 'Other', true]);

    await browser.click(JOIN);
    const shows = (words: string) =>
      browser.evaluate((text) => document.body.innerText.includes(text), words).catch(() => false);
    await expect.poll(() => shows(content.home.earlySignUp.doneHeading), patient).toBe(true);
    expect(site.signUps()).toMatchObject([{ email: 'restored@example.org', role: 'Other' }]);
  });

  const readFields = () =>
    browser.evaluate(() => {
      const { elements } = document.querySelector('form')!;
      const field = (name: string) => elements.namedItem(name) as HTMLInputElement;
      return [field('email').value, field('role').value, field('consent').checked];
    });
}
