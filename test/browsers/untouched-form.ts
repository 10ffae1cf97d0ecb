import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSite, startSite } from '../running-site.ts';
import type { Browser } from './browser.ts';

/**
 * A form in a browser that `open` opens, which tells screen readers of a field that its own checks fail, whatever
 * `aria-invalid` says.
 */
export function untouchedForm(open: () => Promise<Browser>): void {
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

  test('before anybody has typed its fields are required, and none is called invalid', async () => {
    await browser.open(site.url);
    expect(await readFields()).toEqual(['email', 'consent']);
    await browser.click('(//form)[1]//input[@type = "email"]');
    const isHydrated = () =>
      browser.evaluate(() =>
        Object.keys(document.querySelector('[data-island]')!).some((key) => key.startsWith('__reactContainer$')),
      );
    await expect.poll(isHydrated, { timeout: 10_000 }).toBe(true);
    expect(await readFields()).toEqual(['email', 'consent']);
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

  /** The required fields of the first form that are not invalid. */
  const readFields = () =>
    browser.evaluate(() =>
      [...document.querySelector('form')!.querySelectorAll('input')]
        .filter((field) => (field.required || field.ariaRequired === 'true') && !field.matches(':invalid'))
        .map(({ name }) => name),
    );
}
