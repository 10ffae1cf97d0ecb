import { chooseEssential } from './cookie-banner.ts';
import { expect, test } from './site.ts';
import {
  expectDone,
  expectToast,
  fillIn,
  findForm,
  findToast,
  FORM_SCRIPT,
  hold,
  makeAddress,
} from './sign-up-form.ts';

test.beforeEach(({ page }) => page.addInitScript(chooseEssential));

test('a press of Join that lasts until a changed form is hydrated sends it once', async ({ page, site }) => {
  const email = makeAddress();
  const release = await hold(page);
  await page.goto('/');
  const form = findForm(page);
  await fillIn(form, email);
  const button = form.getByRole('button', { name: 'Join the List' });
  await form.getByLabel('Email').evaluate((field) => field.after(document.createElement('span')));
  await button.hover();
  await page.mouse.down();
  const script = page.waitForResponse(FORM_SCRIPT);
  release();
  const address = (await script).url();
  // Resolves once the page has run it, too.
  await page.evaluate(async (url) => {
    await import(url);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }, address);
  await page.mouse.up();
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
  await expectToast(page, 'Email required', 'Please enter your email address.');
  await expect(form.getByLabel('Email')).toHaveAttribute('aria-invalid', 'false');
  release();
  await expect(form.getByText('Please enter your email address.')).toBeVisible();
  await expect(form.getByLabel('Email')).toBeFocused();
  await expect(findToast(page)).toBeVisible();
  await expect(button).not.toHaveAttribute('aria-busy');
});

test('what is wrong is said by the field where the styles of messages do not come', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.route('**/late-*.css', (route) => route.abort());
  await page.goto('/');
  await page.getByRole('button', { name: 'Join the List' }).first().click();
  await expect(page.getByText('Please enter your email address.').first()).toBeInViewport();
  await expect(page).toHaveURL('/');
  expect(errors).toEqual([]);
});
