import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSite, startSite } from '../running-site.ts';
import { content } from '../test-content.ts';
import type { Browser } from './browser.ts';

const EMAIL = '(//form)[1]//input[@type = "email"]';
const CONSENT = '(//form)[1]//input[@type = "checkbox"]';
const JOIN = '(//form)[1]//button[@type = "submit"]';

/** A form as a browser that `open` opens shows it, before anybody has typed and after a reload. */
export function unchangedForm(open: () => Promise<Browser>): void {
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

  // Browsers tell screen readers of a field that its own checks fail, whatever `aria-invalid` says.
  test('before anybody has typed its fields are required, and none is called invalid', async () => {
    await browser.open(site.url);
    expect(await readRequired()).toEqual(['email', 'consent']);
    await browser.click(EMAIL);
    const isHydrated = () =>
      browser.evaluate(() =>
        Object.keys(document.querySelector('[data-island]')!).some((key) => key.startsWith('__reactContainer$')),
      );
    await expect.poll(isHydrated).toBe(true);
    expect(await readRequired()).toEqual(['email', 'consent']);
  });

  test('an empty form that is sent before its scripts have come does not say that it is joining', async () => {
    await browser.open(site.url);
    const words = await browser.evaluate(() => {
      const form = document.querySelector('form')!;
      const readButton = () => form.querySelector('button')!.textContent;
      const before = readButton();
      form.requestSubmit();
      return [before, readButton()];
    });
    expect(words[1]).toBe(words[0]);
  });

  // The browser fills it in again without an event.
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
    await expect.poll(isReloaded).toBe(true);
    expect(await readFields()).toEqual(['restored@example.org', 'Other', true]);

    await browser.click(JOIN);
    const shows = (words: string) =>
      browser.evaluate((text) => document.body.innerText.includes(text), words).catch(() => false);
    await expect.poll(() => shows(content.home.earlySignUp.doneHeading)).toBe(true);
    expect(site.signUps()).toMatchObject([{ email: 'restored@example.org', role: 'Other' }]);
  });

  /** The required fields of the first form that are not invalid. */
  const readRequired = () =>
    browser.evaluate(() =>
      [...document.querySelector('form')!.querySelectorAll('input')]
        .filter((field) => (field.required || field.ariaRequired === 'true') && !field.matches(':invalid'))
        .map(({ name }) => name),
    );

  const readFields = () =>
    browser.evaluate(() => {
      const { elements } = document.querySelector('form')!;
      const field = (name: string) => elements.namedItem(name) as HTMLInputElement;
      return [field('email').value, field('role').value, field('consent').checked];
    });
}
