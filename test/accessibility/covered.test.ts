import type { Locator } from '@playwright/test';
import { chooseEssential } from '../e2e/cookie-banner.ts';
import { fillIn, findToast, hydrateForm } from '../e2e/sign-up-form.ts';
import { expect, type Page, test } from '../e2e/site.ts';
import { content } from '../test-content.ts';

const SCREENS = [
  { width: 320, height: 568 },
  { width: 600, height: 800 },
  { width: 1440, height: 900 },
];

test('a message covers neither the Join button nor an error, in both forms and at every screen size', async ({
  page,
}) => {
  test.slow();
  await openPage(page);
  for (const source of ['Founder', 'Footer'] as const) {
    const form = await hydrateForm(page, source);
    const join = form.getByRole('button');
    const email = form.getByRole('textbox', { name: 'Email' });
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      await email.focus();
      await email.fill('');
      await scrollTo(form, 'start');
      await join.click();
      await expectClear(page, [join, form.getByText('Please enter your email address.')]);
      await email.fill('somebody@example.org');
      await form.getByRole('checkbox').check();
      await page.evaluate((now) => sessionStorage.setItem('founder_newsletter_last_submit', now), String(Date.now()));
      await scrollTo(join, 'end');
      await join.click();
      await expect(findToast(page)).toContainText('Too fast');
      await expectClear(page, [join, form.getByText('Please wait a moment')]);
      await page.evaluate(() => sessionStorage.clear());
      await findToast(page).getByRole('button').click();
    }
  }
});

test('at 320 by 256 px the focused field, its label and its error stay visible beside a message', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await openPage(page);
  const form = page.getByRole('form').first();
  await form.getByRole('textbox', { name: 'Email' }).press('Enter');
  const parts = [form.getByText('Email *'), form.getByRole('textbox', { name: 'Email' }), form.getByText(/^Please/)];
  await expectClear(page, parts);
  for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
});

test('a message that slides in causes no scroll bar', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await openPage(page);
  await page.getByRole('form').first().getByRole('textbox', { name: 'Email' }).press('Enter');
  await expect(findToast(page)).toBeVisible();
  const overflow = await findToast(page).evaluate((region) => {
    for (const movement of region.getAnimations({ subtree: true })) movement.currentTime = 0;
    return region.scrollHeight - region.clientHeight;
  });
  expect(overflow).toBe(0);
});

test("on a phone the message after a sign-up doesn't cover what replaces the form", async ({ page }) => {
  await page.setViewportSize(SCREENS[0]!);
  await openPage(page);
  const form = page.getByRole('form').last();
  await fillIn(form, 'covered@example.org');
  await scrollTo(form, 'start');
  await form.getByRole('button').click();
  const heading = page.getByRole('heading', { name: content.home.footerSignUp.doneHeading });
  const parts = [heading.locator('xpath=../preceding-sibling::*'), heading];
  await expectClear(page, parts);
  for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
});

async function openPage(page: Page) {
  await page.addInitScript(chooseEssential);
  await page.goto('/');
  await hydrateForm(page);
}

function scrollTo(place: Locator, edge: ScrollLogicalPosition) {
  return place.evaluate((element, block) => element.scrollIntoView({ block, behavior: 'instant' }), edge);
}

/** Checks that no message and no header covers these places. */
async function expectClear(page: Page, places: Locator[]) {
  await expect(findToast(page)).toBeVisible();
  await expect(async () => {
    const boxes = await Promise.all([findToast(page), ...places].map((place) => place.boundingBox()));
    const [message, ...others] = boxes.map((box) => box!);
    for (const box of others) {
      const apart =
        box.y >= message!.y + message!.height ||
        box.y + box.height <= message!.y ||
        box.x >= message!.x + message!.width ||
        box.x + box.width <= message!.x;
      expect(apart, `${JSON.stringify([page.viewportSize(), box])} under ${JSON.stringify(message)}`).toBe(true);
    }
  }).toPass({ timeout: 5000, intervals: [20, 50] });
}
