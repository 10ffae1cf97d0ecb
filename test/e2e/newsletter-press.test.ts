import type { Locator } from '@playwright/test';
import { chooseEssential } from './cookie-banner.ts';
import { expectHydrated } from './sign-up-form.ts';
import { expect, type Page, test } from './site.ts';

const MESSAGE = 'Please enter your email address.';

test.use({ viewport: { width: 320, height: 568 } });

test.beforeEach(async ({ page }) => {
  await page.clock.install();
  await page.addInitScript(chooseEssential);
});

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
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(scripts, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/');
    const form = page.getByRole('form').last();
    const consent = form.getByRole('checkbox');
    await form.getByRole('button').click();
    const parts = page.waitForResponse(/\/assets\/parts-.*\.js$/);
    await press(page, consent, async () => {
      release();
      // Resolves once the page has run it, too.
      await page.evaluate((url) => import(url), (await parts).url());
      await page.clock.runFor(1000);
    });
    await expect(form.getByText(MESSAGE)).toBeVisible();
    await expect(consent).toBeChecked();
    await expect(consent).toBeFocused();
  });
}

/** Presses a control, and releases it at the same place of the window after something has happened. */
async function press(page: Page, control: Locator, happen: () => Promise<void>) {
  await control.scrollIntoViewIfNeeded();
  const { x, y } = (await control.boundingBox())!;
  await page.mouse.move(x + 12, y + 12);
  await page.mouse.down();
  await happen();
  await page.mouse.up();
}
