import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningSite, startSite } from '../running-site.ts';
import { content } from '../test-content.ts';
import type { Browser } from './browser.ts';
import { FILLED_ADDRESS, FORM_CHANGES } from './form-changes.ts';
import { type ScriptGate, startScriptGate } from './script-gate.ts';

const EMAIL = '(//form)[1]//input[@type = "email"]';
const CONSENT = '(//form)[1]//input[@type = "checkbox"]';
const JOIN = '(//form)[1]//button[@type = "submit"]';
const { doneHeading } = content.home.earlySignUp;

/** A form that something else than the site has changed, in a browser that `open` opens. */
export function changedForm(open: () => Promise<Browser>): void {
  let browser: Browser;
  let site: RunningSite;
  let gate: ScriptGate;

  beforeAll(async () => {
    browser = await open();
    site = await startSite();
    gate = await startScriptGate(site.url);
  });

  beforeEach(async () => {
    gate.release();
    gate.forget();
    await browser.open(`${gate.url}/privacy-policy`);
    await browser.evaluate(() => {
      localStorage.setItem('cookie_consent', 'essential');
      localStorage.setItem('cookie_consent_timestamp', String(Date.now()));
      sessionStorage.clear();
    });
  });

  // The last hook runs first: a server that stops waits for what a browser keeps open.
  afterAll(async () => {
    await browser.close();
    await gate.stop();
    await site.stop();
  });

  describe.each(FORM_CHANGES)('$what', ({ apply, fills }) => {
    test('before hydration: the form keeps focus, caret and what was typed, and is sent once', async () => {
      gate.hold();
      await browser.open(gate.url);
      await fillIn();
      expect(await isHydrated()).toBe(false);
      await browser.evaluate(apply);
      gate.release();
      await expectHydrated();
      await finishAddress(fills);
      await browser.click(JOIN);
      await expectOutcome();
      expect(gate.posts().map(readPost)).toMatchObject([expected(fills)]);
    });

    test('between press and hydration: the form is sent once', async () => {
      gate.hold();
      await browser.open(gate.url);
      await fillIn();
      await finishAddress();
      await browser.press('Enter');
      await expect.poll(isBusy).toBe(true);
      await browser.evaluate(apply);
      gate.release();
      await expectOutcome();
      expect(gate.posts().map(readPost)).toMatchObject([expected(fills)]);
    });

    test('between a press that is refused and hydration: focus and caret stay, and the form is sent once', async () => {
      gate.hold();
      await browser.open(gate.url);
      await fillIn();
      await browser.press('Enter');
      await expect.poll(() => shows('Please enter a valid email address.')).toBe(true);
      await browser.evaluate(apply);
      gate.release();
      await expectHydrated();
      expect(gate.posts()).toEqual([]);
      await finishAddress(fills);
      await browser.press('Enter');
      await expectOutcome();
      expect(gate.posts().map(readPost)).toMatchObject([expected(fills)]);
    });

    test('after hydration: the form keeps focus, caret and what was typed, and is sent once', async () => {
      await browser.open(gate.url);
      await fillIn();
      await expectHydrated();
      await browser.evaluate(apply);
      await finishAddress(fills);
      await browser.click(JOIN);
      await expectOutcome();
      expect(gate.posts().map(readPost)).toMatchObject([expected(fills)]);
    });
  });

  /** All but the @ of the address; the caret is left where that belongs. */
  async function fillIn(): Promise<void> {
    await browser.click(CONSENT);
    await browser.evaluate(() => {
      document.querySelector<HTMLSelectElement>('form select')!.value = 'Other';
    });
    await browser.click(EMAIL);
    for (const key of 'somebodyexample.org') await browser.press(key);
    for (const _ of 'example.org') await browser.press('ArrowLeft');
  }

  async function finishAddress(isFilled = false): Promise<void> {
    expect(await browser.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
    if (!isFilled) await browser.press('@');
  }

  async function expectOutcome(): Promise<void> {
    await expect.poll(() => shows(doneHeading), { message: 'the outcome to be shown' }).toBe(true);
  }

  async function expectHydrated(): Promise<void> {
    await expect.poll(isHydrated, { message: 'the form to be hydrated' }).toBe(true);
  }

  /** React marks the elements that it renders into. */
  const isHydrated = () =>
    browser.evaluate(() => {
      const islands = [...document.querySelectorAll('[data-island]')];
      return islands.some((island) => Object.keys(island).some((key) => key.startsWith('__reactContainer$')));
    });

  const isBusy = () => browser.evaluate(() => document.querySelector('form button')!.hasAttribute('aria-busy'));

  const shows = (words: string) =>
    browser.evaluate((text) => document.body.innerText.includes(text), words).catch(() => false);
}

function expected(isFilled = false): object {
  return { email: isFilled ? FILLED_ADDRESS : 'somebody@example.org', role: 'Other' };
}

/** A sign-up as JSON, or as a plain form sends it. */
function readPost(body: string): Record<string, unknown> {
  return body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}
