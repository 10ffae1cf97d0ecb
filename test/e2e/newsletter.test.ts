import { findBanner, chooseEssential } from './cookie-banner.ts';
import { expect, test } from './site.ts';
import { expectToast, findForm, findToast, hydrateForm, makeAddress, pressJoin } from './sign-up-form.ts';

// The choice has already been made, so the banner is closed.
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

test('no message covers the banner’s buttons', async ({ page }) => {
  await page.addInitScript(() => localStorage.clear());
  await page.goto('/');
  await expect(findBanner(page)).toBeVisible();
  const form = await hydrateForm(page);
  for (const [width, height] of [
    [1280, 720],
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

test('the list of roles is part of the page, easy to tap, and not cut off on a small screen or with large text', async ({
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
