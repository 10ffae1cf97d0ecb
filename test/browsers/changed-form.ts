import { beforeEach, describe, expect, test } from 'vitest';
import { content } from '../test-content.ts';
import { FILLED_ADDRESS, FORM_CHANGES } from './form-changes.ts';
import { CONSENT, EMAIL, type FormVisit, isHydrated, JOIN, openDecided, shows } from './form-visit.ts';

const { doneHeading } = content.home.earlySignUp;

/** A form that something else than the site has changed. */
export function changedForm(visit: FormVisit): void {
  beforeEach(async () => {
    visit.gate.release();
    visit.gate.forget();
    await openDecided(visit);
  });

  describe.each(FORM_CHANGES)('$what', ({ apply, fills }) => {
    test('before hydration: the form keeps focus, caret and what was typed, and is sent once', async () => {
      const { browser, gate } = visit;
      gate.hold();
      await browser.open(gate.url);
      await fillIn();
      expect(await isHydrated(visit)).toBe(false);
      await browser.evaluate(apply);
      gate.release();
      await expectHydrated();
      await finishAddress(fills);
      await browser.click(JOIN);
      await expectOutcome();
      expect(gate.posts().map(readPost)).toMatchObject([expected(fills)]);
    });

    test('between press and hydration: the form is sent once', async () => {
      const { browser, gate } = visit;
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
      const { browser, gate } = visit;
      gate.hold();
      await browser.open(gate.url);
      await fillIn();
      await browser.press('Enter');
      await expect.poll(() => shows(visit, 'Please enter a valid email address.')).toBe(true);
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
      const { browser, gate } = visit;
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
    const { browser } = visit;
    await browser.click(CONSENT);
    await browser.evaluate(() => {
      document.querySelector<HTMLSelectElement>('form select')!.value = 'Other';
    });
    await browser.click(EMAIL);
    for (const key of 'somebodyexample.org') await browser.press(key);
    for (const _ of 'example.org') await browser.press('ArrowLeft');
  }

  async function finishAddress(isFilled = false): Promise<void> {
    expect(await visit.browser.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
    if (!isFilled) await visit.browser.press('@');
  }

  async function expectOutcome(): Promise<void> {
    await expect.poll(() => shows(visit, doneHeading), { message: 'the outcome to be shown' }).toBe(true);
  }

  async function expectHydrated(): Promise<void> {
    await expect.poll(() => isHydrated(visit), { message: 'the form to be hydrated' }).toBe(true);
  }

  const isBusy = () => visit.browser.evaluate(() => document.querySelector('form button')!.hasAttribute('aria-busy'));
}

function expected(isFilled = false): object {
  return { email: isFilled ? FILLED_ADDRESS : 'somebody@example.org', role: 'Other' };
}

/** A sign-up as JSON, or as a plain form sends it. */
function readPost(body: string): Record<string, unknown> {
  return body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}
