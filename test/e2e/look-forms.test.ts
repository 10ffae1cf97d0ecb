import type { Locator } from '@playwright/test';
import { chooseEssential } from './cookie-banner.ts';
import { expectDone, fillIn, findForm, makeAddress, pressJoin } from './sign-up-form.ts';
import { expect, type Page, test } from './site.ts';

test.beforeEach(async ({ page }) => {
  await page.addInitScript(chooseEssential);
  await page.goto('/');
});

test("an error doesn't change a form's height at any width, and the last row ends with the fields", async ({
  page,
}) => {
  const form = page.getByRole('form').first();
  const join = form.getByRole('button');
  const measureHeights = async () => {
    const heights = [];
    for (const width of [1440, 600, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const { height, right, joinRight } = await form.evaluate((element) => ({
        height: element.getBoundingClientRect().height,
        right: element.querySelector('select')!.getBoundingClientRect().right,
        joinRight: element.querySelector('button')!.getBoundingClientRect().right,
      }));
      expect(Math.abs(joinRight - right), `${width} px`).toBeLessThan(1);
      heights.push(height);
    }
    return heights;
  };
  const heights = await measureHeights();
  const expectHeights = async (message: string) => {
    await expect(form.getByText(message)).toBeVisible();
    expect(await measureHeights(), message).toEqual(heights);
  };
  await form.getByLabel('Email').fill('anna');
  await join.click();
  await expectHeights('Please enter a valid email address.');
  await form.getByLabel('Email').fill('anna@example.test');
  await join.click();
  await expectHeights('Please consent to receiving updates to continue.');
  await form.getByRole('checkbox').check();
  await page.evaluate(() => sessionStorage.setItem('founder_newsletter_last_submit', String(Date.now())));
  await join.click();
  await expectHeights('Please wait a moment before submitting again.');
});

test("a form's consent is level with its button, its card is even, and its error is aligned with the text", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const form = page.getByRole('form').last();
  const middle = async (element: Locator) => {
    const { y, height } = (await element.boundingBox())!;
    return y + height / 2;
  };
  expect(Math.abs((await middle(form.getByRole('checkbox'))) - (await middle(form.getByRole('button'))))).toBeLessThan(
    2,
  );
  const card = page.locator('section > div:has([data-island])').first();
  const room = await card.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const first = element.querySelector('h2')!.getBoundingClientRect();
    const words = element.querySelector('label:has([type=checkbox])')!;
    const range = document.createRange();
    range.selectNodeContents(words);
    return { above: first.top - box.top, below: box.bottom - range.getBoundingClientRect().bottom };
  });
  expect(Math.abs(room.above - room.below)).toBeLessThan(16);
  await form.getByLabel('Email').fill('anna@example.test');
  await form.getByRole('button').click();
  const error = form.getByText('Please consent to receiving updates to continue.');
  const indent = await error.evaluate((element) => parseFloat(getComputedStyle(element).paddingLeft));
  expect(indent).toBe(36);

  const { height } = (await form.getByRole('button').boundingBox())!;
  await form.locator('label', { has: page.getByRole('checkbox') }).evaluate((label) => {
    label.append(' and of much else that is worth knowing about the market in which you hire'.repeat(3));
  });
  expect((await form.getByRole('button').boundingBox())!.height, 'beside a long consent').toBe(height);
});

test('the thank-you panel is as high as the form was, and on a phone what follows slides up to it', async ({
  page,
}) => {
  const footer = page.getByRole('contentinfo');
  const findFooter = () => footer.evaluate((element) => Math.round(element.getBoundingClientRect().top + scrollY));
  for (const width of [1440, 560]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const place = await findFooter();
    await signUp(page);
    expect(await findFooter(), `${width} px`).toBe(place);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  const place = await findFooter();
  const jumps = await page.evaluateHandle(() => {
    const values: number[] = [];
    const note = (list: PerformanceObserverEntryList) =>
      values.push(...list.getEntries().map((entry) => (entry as PerformanceEntry & { value: number }).value));
    new PerformanceObserver(note).observe({ type: 'layout-shift' });
    return values;
  });
  await signUp(page);
  await expect.poll(findFooter).toBeLessThan(place - 100);
  expect(await jumps.jsonValue()).toEqual([]);
});

async function signUp(page: Page): Promise<void> {
  await page.evaluate(() => sessionStorage.clear());
  const form = findForm(page);
  await fillIn(form, makeAddress());
  await pressJoin(form);
  await expectDone(page);
}
