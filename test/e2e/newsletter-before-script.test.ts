import { chooseEssential } from './cookie-banner.ts';
import { expect, test } from './site.ts';
import { expectDone, expectToast, fillIn, findForm, FORM_SCRIPT, hold, makeAddress } from './sign-up-form.ts';

const MESSAGE = 'Please enter your email address.';

test.beforeEach(({ page }) => page.addInitScript(chooseEssential));

test('a form that an extension changed is sent once, even if Join is pressed while it is being hydrated', async ({
  page,
  site,
}) => {
  const email = makeAddress();
  const release = await hold(page);
  await page.goto('/');
  const form = findForm(page);
  await fillIn(form, email);
  await form.getByLabel('Email').evaluate((field) => field.after(document.createElement('span')));
  await form.getByRole('button', { name: 'Join the List' }).hover();
  await page.mouse.down();
  const script = page.waitForResponse(FORM_SCRIPT);
  release();
  // Waits until the page has run the script as well.
  await page.evaluate((url) => import(url), (await script).url());
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  await page.mouse.up();
  await expectDone(page);
  expect(site.signUps().filter((each) => each.email === email)).toHaveLength(1);
});

test('a tap before the script has loaded gets an immediate response, then the error once it has loaded', async ({
  page,
}) => {
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

test('an error is shown at its field even if the message styles fail to load', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.route('**/late-*.css', (route) => route.abort());
  await page.goto('/');
  await page.getByRole('button', { name: 'Join the List' }).first().click();
  await expect(page.getByText(MESSAGE).first()).toBeInViewport();
  await expect(page).toHaveURL('/');
  expect(errors).toEqual([]);
});
