import type { Locator, Response } from '@playwright/test';
import { chooseEssential } from './cookie-banner.ts';
import { expect, type Page, test } from './site.ts';
import {
  expectDone,
  expectHydrated,
  expectToast,
  fillIn,
  findForm,
  FORM_SCRIPT,
  hold,
  makeAddress,
  pressJoin,
} from './sign-up-form.ts';

const MESSAGE = 'Please enter your email address.';

test.beforeEach(({ page }) => page.addInitScript(chooseEssential));

test('a form that an extension changed is sent once if Join is pressed until it is hydrated', async ({
  page,
  site,
}) => {
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

test('a tap before the script has loaded is answered at once, and with the error once it has', async ({ page }) => {
  const release = await hold(page);
  await page.goto('/');
  const form = findForm(page);
  const button = form.getByRole('button');
  await button.click();
  await expect(button).toHaveText('Joining...');
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await button.click();
  release();
  await expectToast(page, 'Email required', MESSAGE);
  await expect(form.getByLabel('Email')).toHaveAccessibleDescription(MESSAGE);
  await expect(form.getByLabel('Email')).toBeFocused();
  await expect(button).toHaveText(/^Join the list$/i);
  await expect(button).not.toHaveAttribute('aria-busy');
});

test('a form posts itself if its script fails to load', async ({ page, site }) => {
  const email = makeAddress();
  await page.route(FORM_SCRIPT, (route) => route.abort());
  await page.goto('/');
  const form = findForm(page);
  await fillIn(form, email);
  await pressJoin(form);
  await expectDone(page);
  expect(site.signUps().filter((each) => each.email === email)).toHaveLength(1);
});

test('an error is shown at its field if the styles of messages fail to load', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.route('**/late-*.css', (route) => route.abort());
  await page.goto('/');
  await page.getByRole('button', { name: 'Join the List' }).first().click();
  await expect(page.getByText(MESSAGE).first()).toBeInViewport();
  await expect(page).toHaveURL('/');
  expect(errors).toEqual([]);
});

test('on a small phone the consent is ticked even if it is pressed until the form is hydrated', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  const release = await hold(page, /\/assets\/(interactions|react|newsletter-form)-.*\.js$/);
  await page.goto('/');
  const form = page.getByRole('form').last();
  const consent = form.getByRole('checkbox');
  await press(page, consent, async () => {
    const script = page.waitForResponse(FORM_SCRIPT);
    release();
    await waitUntilRun(page, await script);
  });
  await expectHydrated(page, form);
  await expect(consent).toBeChecked();
  await expect(consent).toBeFocused();
});

/** Presses a control, and releases it at the same point after something has happened. */
async function press(page: Page, control: Locator, happen: () => Promise<void>) {
  await control.scrollIntoViewIfNeeded();
  const { x, y } = (await control.boundingBox())!;
  await page.mouse.move(x + 12, y + 12);
  await page.mouse.down();
  await happen();
  await page.mouse.up();
}

/** Waits until the page has run a script as well. */
async function waitUntilRun(page: Page, script: Response): Promise<void> {
  await page.evaluate((url) => import(url), script.url());
}
