import { findBanner, chooseEssential } from './cookie-banner.ts';
import { expect, type Page, test } from './site.ts';
import {
  expectDone,
  expectToast,
  fillIn,
  findForm,
  findToast,
  hydrateForm,
  makeAddress,
  pressJoin,
} from './sign-up-form.ts';

// The choice is already made, so the banner is closed.
test.beforeEach(({ page }) => page.addInitScript(chooseEssential));

for (const { source, done, doneText, consent } of [
  {
    source: 'Founder',
    done: 'Welcome to the List!',
    doneText: "Thank you — you're now on the list. Expect only thoughtful updates from us, not spam.",
    consent: 'I consent to receiving occasional updates from the agency. *',
  },
  {
    source: 'Footer',
    done: "You're All Set!",
    doneText: "Thanks — you're in! Check your inbox.",
    consent: /^I consent to receiving occasional updates from .+\. \*$/,
  },
] as const) {
  test(`the ${source} form stores a sign-up and says so`, async ({ page, site }) => {
    const email = makeAddress();
    await page.goto('/');
    const form = await hydrateForm(page, source);
    await form.getByLabel('Email').fill(`  ${email}  `);
    await form.getByLabel('Role').selectOption('Head of Talent');
    await form.getByLabel(consent).check();
    await pressJoin(form);

    const panel = page.locator('section', { has: page.getByRole('heading', { name: done }) });
    await expect(panel.getByLabel(done)).toBeFocused();
    await expect(panel.getByText(doneText)).toBeVisible();
    await expect(panel.getByRole('textbox')).toHaveCount(0);
    await expectToast(page, 'Success!', "Thanks — you're in! Check your inbox.");
    expect(site.signUps()).toContainEqual({ email, role: 'Head of Talent', source, state: 'subscribed' });
  });
}

test('silently drops what a robot filled in', async ({ page, site }) => {
  const email = makeAddress();
  await page.goto('/');
  const form = await hydrateForm(page);
  await form.locator('input[name="website"]').evaluate((decoy: HTMLInputElement) => {
    decoy.value = 'https://spam.example';
  });
  const logged = page.waitForEvent('console', (message) => message.text().includes('decoy'));
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await fillIn(form, email);
  await pressJoin(form);
  await logged;
  await expect(form.getByRole('button', { name: 'Join the List' })).toBeEnabled();
  await expect(findToast(page)).toBeHidden();
  expect(posts).toEqual([]);
  expect(site.signUps().map((each) => each.email)).not.toContain(email);
});

test('keeps what was typed when the sign-up cannot be sent, and works again afterwards', async ({ page, context }) => {
  const email = makeAddress();
  await page.goto('/');
  const form = await hydrateForm(page);
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Role').selectOption('Founder');
  await form.getByRole('checkbox').check();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));

  await context.setOffline(true);
  await pressJoin(form);
  await expectToast(page, 'Error', 'Something went wrong. Please try again.');
  await expect(form.getByRole('button', { name: 'Join the List' })).toBeEnabled();
  await expect(form.getByLabel('Email')).toHaveValue(email);
  await expect(form.getByLabel('Role')).toHaveValue('Founder');
  await expect(form.getByRole('checkbox')).toBeChecked();
  expect(errors.join()).toContain('The sign-up was not sent.');
  await expect(form.getByRole('button')).toBeFocused();
  await expect(form.getByText('Something went wrong. Please try again.')).toBeVisible();

  await context.setOffline(false);
  await pressJoin(form);
  await expectDone(page);
});

test('shows at the field why the newsletter refuses an address', async ({ page }) => {
  await page.goto('/');
  const form = await hydrateForm(page);
  // Such characters could turn one address into several; the form's own pattern allows them.
  await fillIn(form, 'some<body>@example.org');
  await pressJoin(form);
  await expectToast(page, 'Invalid email', 'Please enter a valid email address.');
  await expect(form.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address.');
});

test('asks for a pause when the second form is sent within ten seconds of the first', async ({ page, site }) => {
  await page.clock.install();
  await page.goto('/');
  await signUp(page, 'Founder', makeAddress());
  await expectDone(page);

  const second = makeAddress();
  await signUp(page, 'Footer', second);
  await expectToast(page, 'Too fast', 'Please wait a moment before submitting again.');
  expect(site.signUps().map((each) => each.email)).not.toContain(second);

  await page.clock.fastForward(10_000);
  await pressJoin(findForm(page, 'Footer'));
  await expectDone(page, 'Footer');
  expect(site.signUps().map((each) => each.email)).toContain(second);
});

test('after too many sign-ups from one network a visitor reads how long to wait', async ({ page }) => {
  const sent = Array.from({ length: 20 }, (_, index) => ({ email: `flood${index}@example.org`, source: 'Footer' }));
  await Promise.all(sent.map((data) => page.request.post('/api/newsletter', { data })));
  await page.goto('/');
  const form = await hydrateForm(page);
  await fillIn(form, 'late@example.org');
  await pressJoin(form);
  const text = 'Many sign-ups have just come from your network. Please wait a minute and try again.';
  await expectToast(page, 'Too many sign-ups', text);
  await expect(form.getByLabel('Email')).toHaveValue('late@example.org');
});

test('no message covers the banner’s buttons', async ({ page }) => {
  await page.addInitScript(() => localStorage.clear());
  await page.goto('/');
  await expect(findBanner(page)).toBeVisible();
  const form = await hydrateForm(page);
  for (const [width, height] of [
    [1280, 720],
    [390, 844],
    [320, 400],
  ] as const) {
    await page.setViewportSize({ width, height });
    await form.getByRole('button', { name: 'Join the List' }).press('Enter');
    await expect(findToast(page)).toBeVisible();
    for (const name of ['Allow All', 'Deny Non-Essential', 'Show details']) {
      const button = findBanner(page).getByRole('button', { name, exact: true });
      await button.scrollIntoViewIfNeeded();
      await button.click({ trial: true });
    }
  }
});

test('the list of roles is drawn in the page, easy to tap, and not cut off on a small screen or by large text', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto('/');
  const role = findForm(page).getByLabel('Role');
  const options = role.getByRole('option');
  for (const textSize of ['100%', '200%']) {
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), textSize);
    await role.click();
    await expect(options.last()).toBeVisible();
    for (const option of await options.all()) {
      await option.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await option.boundingBox())!;
      expect(height).toBeGreaterThanOrEqual(44);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(320);
      expect(y + height).toBeLessThanOrEqual(568);
      expect(await option.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    }
    await role.getByRole('option', { name: 'Candidate (AE / SE / CSM)' }).click();
    await expect(role).toHaveValue('Candidate (AE / SE / CSM)');
    await expect(role).toBeFocused();
    expect(await role.evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0);
  }
});

test('a message can be dismissed by keyboard, and the focus returns to the field', async ({ page }) => {
  await page.goto('/');
  const form = await hydrateForm(page);
  await pressJoin(form);
  const email = form.getByRole('textbox', { name: 'Email *' });
  await expect(email).toBeFocused();
  await findToast(page).getByRole('button').press('Enter');
  await expect(findToast(page)).toHaveCount(0);
  await expect(email).toBeFocused();
});

async function signUp(page: Page, source: 'Founder' | 'Footer', email: string): Promise<void> {
  const form = await hydrateForm(page, source);
  await fillIn(form, email);
  await pressJoin(form);
}
