import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { content } from '../test-content.ts';
import { FILLED_ADDRESS, FORM_CHANGES } from './form-changes.ts';
import { CONSENT, EMAIL, type FormVisit, isHydrated, JOIN, openDecided, shows } from './form-visit.ts';

const { doneHeading } = content.home.earlySignUp;
const [NAME, HOST] = ['ada', 'b.org'];

/**
 * Tests of a form that an extension has changed.
 * @param tried changes to test at every moment; the others are tested only between an invalid press and hydration
 */
export function changedForm(visit: FormVisit, tried = FORM_CHANGES): void {
  beforeAll(() => openDecided(visit));

  beforeEach(() => {
    visit.gate.release();
    visit.gate.forget();
  });

  describe.each(tried)('$what', ({ apply, fills }) => {
    test('before hydration: keeps focus, caret and what was typed, and sends the form once', async () => {
      visit.gate.hold();
      await openFilled(visit);
      expect(await isHydrated(visit)).toBe(false);
      await visit.browser.evaluate(apply);
      visit.gate.release();
      await expectHydrated(visit);
      await finishAddress(visit, fills);
      await visit.browser.click(JOIN);
      await expectSentOnce(visit, fills);
    });

    test('between press and hydration: sends the form once', async () => {
      visit.gate.hold();
      await openFilled(visit);
      await finishAddress(visit);
      await visit.browser.press('Enter');
      await expect.poll(() => isBusy(visit)).toBe(true);
      await visit.browser.evaluate(apply);
      visit.gate.release();
      await expectSentOnce(visit, fills);
    });

    test('after hydration: keeps focus, caret and what was typed, and sends the form once', async () => {
      await openFilled(visit);
      await expectHydrated(visit);
      await visit.browser.evaluate(apply);
      expect(visit.gate.posts()).toEqual([]);
      await finishAddress(visit, fills);
      await visit.browser.click(JOIN);
      await expectSentOnce(visit, fills);
    });
  });

  describe.each(FORM_CHANGES)('$what', ({ apply, fills }) => {
    test('between an invalid press and hydration: keeps focus and caret, and sends the form once', async () => {
      visit.gate.hold();
      await openFilled(visit);
      await visit.browser.press('Enter');
      await expect.poll(() => isBusy(visit)).toBe(true);
      await visit.browser.evaluate(apply);
      visit.gate.release();
      if (fills) return expectSentOnce(visit, fills);
      await expect.poll(() => shows(visit, 'Please enter a valid email address.')).toBe(true);
      expect(visit.gate.posts()).toEqual([]);
      await finishAddress(visit);
      await visit.browser.press('Enter');
      await expectSentOnce(visit, fills);
    });
  });
}

/** Opens the page and fills in the form except for the @ in the address, where it leaves the caret. */
async function openFilled({ browser, gate }: FormVisit): Promise<void> {
  await browser.open(gate.url);
  await browser.click(CONSENT);
  await browser.evaluate(() => {
    document.querySelector<HTMLSelectElement>('form select')!.value = 'Other';
    // The previous test has just signed up.
    sessionStorage.clear();
  });
  await browser.click(EMAIL);
  for (const key of NAME + HOST) await browser.press(key);
  for (const _ of HOST) await browser.press('ArrowLeft');
}

async function finishAddress({ browser }: FormVisit, isFilled = false): Promise<void> {
  expect(await browser.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
  if (!isFilled) await browser.press('@');
}

async function expectHydrated(visit: FormVisit): Promise<void> {
  await expect.poll(() => isHydrated(visit), { message: 'the form to be hydrated' }).toBe(true);
}

async function expectSentOnce(visit: FormVisit, isFilled = false): Promise<void> {
  await expect.poll(() => shows(visit, doneHeading), { message: 'the outcome to be shown' }).toBe(true);
  const email = isFilled ? FILLED_ADDRESS : `${NAME}@${HOST}`;
  expect(visit.gate.posts().map(readPost)).toMatchObject([{ email, role: 'Other' }]);
}

function isBusy({ browser }: FormVisit): Promise<boolean> {
  return browser.evaluate(() => document.querySelector('form button')!.hasAttribute('aria-busy'));
}

/** Parses a sign-up sent as JSON or as a plain form. */
function readPost(body: string): Record<string, unknown> {
  return body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
}
