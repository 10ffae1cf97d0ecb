import type { Locator, Response } from '@playwright/test';
import { chooseEssential } from './cookie-banner.ts';
import { expect, type Page, test } from './site.ts';
import {
  expectDone,
  expectHydrated,
  expectToast,
  fillIn,
  findForm,
  findToast,
  FORM_SCRIPT,
  hold,
  makeAddress,
  pressJoin,
} from './sign-up-form.ts';

const MESSAGE = 'Please enter your email address.';

test.beforeEach(({ page }) => page.addInitScript(chooseEssential));

test('a press of Join that lasts until a changed form is hydrated sends it once', async ({ page, site }) => {
  const email = makeAddress();
  const release = await hold(page);
  await page.goto('/');
  const form = findForm(page);
  await fillIn(form, email);
  await form.getByLabel('Email').evaluate((field) => field.after(document.createElement('span')));
  await press(page, form.getByRole('button', { name: 'Join the List' }), async () => {
    const script = page.waitForResponse(FORM_SCRIPT);
    release();
    await waitUntilRun(page, await script);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  });
  await expectDone(page);
  expect(site.signUps().filter((each) => each.email === email)).toHaveLength(1);
});

test('a tap before the script has come is answered at once, and with what is missing when it comes', async ({
  page,
}) => {
  const release = await hold(page);
  await page.goto('/');
  const form = findForm(page);
  const button = form.getByRole('button', { name: 'Join the List' });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await button.click();
  await expectToast(page, 'Email required', MESSAGE);
  await expect(form.getByLabel('Email')).toHaveAttribute('aria-invalid', 'false');
  release();
  await expect(form.getByText(MESSAGE)).toBeVisible();
  await expect(form.getByLabel('Email')).toBeFocused();
  await expect(findToast(page)).toBeVisible();
  await expect(button).not.toHaveAttribute('aria-busy');
});

test('a form posts by itself where its script is refused', async ({ page, site }) => {
  const email = makeAddress();
  await page.route(FORM_SCRIPT, (route) => route.abort());
  await page.goto('/');
  const form = findForm(page);
  await fillIn(form, email);
  await pressJoin(form);
  await expectDone(page);
  expect(site.signUps().filter((each) => each.email === email)).toHaveLength(1);
});

test('what is wrong is said by the field where the styles of messages do not come', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.route('**/late-*.css', (route) => route.abort());
  await page.goto('/');
  await page.getByRole('button', { name: 'Join the List' }).first().click();
  await expect(page.getByText(MESSAGE).first()).toBeInViewport();
  await expect(page).toHaveURL('/');
  expect(errors).toEqual([]);
});

test.describe('on a small phone, where a message moves what is below it', () => {
  test.use({ viewport: { width: 320, height: 568 } });
  test.beforeEach(({ page }) => page.clock.install());

  test('a press of the consent that begins as a message comes counts, and the focus stays on it', async ({ page }) => {
    await page.goto('/');
    const form = page.getByRole('form').last();
    const consent = form.getByRole('checkbox');
    await form.getByLabel('Email').focus();
    await expectHydrated(page, form);
    // From here on the clock moves only when the test moves it.
    await page.clock.pauseAt(Date.now() + 60_000);
    await form.getByRole('button').click();
    await expect(form.getByText(MESSAGE)).toBeVisible();
    await press(page, consent, () => page.clock.runFor(1000));
    await expect(consent).toBeChecked();
    await expect(consent).toBeFocused();
  });

  for (const [what, scripts] of [
    ['first script', /\/assets\/parts-.*\.js$/],
    ['scripts', /\/assets\/(parts|react|newsletter-form)-.*\.js$/],
  ] as const) {
    test(`a press of the consent that lasts until the ${what} of a form have come counts`, async ({ page }) => {
      const release = await hold(page, scripts);
      await page.goto('/');
      const form = page.getByRole('form').last();
      const consent = form.getByRole('checkbox');
      await form.getByRole('button').click();
      const parts = page.waitForResponse(/\/assets\/parts-.*\.js$/);
      await press(page, consent, async () => {
        release();
        await waitUntilRun(page, await parts);
        await page.clock.runFor(1000);
      });
      await expect(form.getByText(MESSAGE)).toBeVisible();
      await expect(consent).toBeChecked();
      await expect(consent).toBeFocused();
    });
  }
});

/** Presses a control, and releases it at the same place of the window after something has happened. */
async function press(page: Page, control: Locator, happen: () => Promise<void>) {
  await control.scrollIntoViewIfNeeded();
  const { x, y } = (await control.boundingBox())!;
  await page.mouse.move(x + 12, y + 12);
  await page.mouse.down();
  await happen();
  await page.mouse.up();
}

/** Waits until the page has run a script, too. */
async function waitUntilRun(page: Page, script: Response): Promise<void> {
  await page.evaluate((url) => import(url), script.url());
}
