import { findBanner, openSettings, storeBefore } from './cookie-banner.ts';
import { expect, test } from './site.ts';

test('Cookie Settings moves the focus to the banner even before the stored choice has been read', async ({ page }) => {
  await storeBefore(page, {});
  // The page reads the stored choice when it is idle; here it never is.
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
  await page.goto('/');
  await openSettings(page);
  await expect(findBanner(page).getByRole('heading', { name: 'This website uses cookies' })).toBeFocused();
  await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).press('Enter');
  await expect(page.getByRole('link', { name: 'Cookie Settings' })).toBeFocused();
});

test('a choice that is made before the page has loaded closes the banner', async ({ page }) => {
  // This request never gets a response.
  await page.route(/\.woff2$/, () => {});
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await openSettings(page);
  await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
  await expect(findBanner(page)).toBeHidden();
  expect(await page.evaluate(() => document.readyState)).toBe('interactive');
});

test('a page from an older version of the site leaves it to the next page to ask again', async ({ page, context }) => {
  await storeBefore(page, {});
  await page.goto('/', { waitUntil: 'networkidle' });
  const newer = await context.newPage();
  await newer.goto('/');
  await page.evaluate(() => {
    document.addEventListener('consentchange', () => setTimeout(() => document.documentElement.classList.add('heard')));
  });
  await newer.evaluate(() => {
    localStorage.setItem('cookie_consent_version', 'newer');
    localStorage.setItem('cookie_consent_timestamp', String(Date.now()));
  });
  await expect(page.locator('html.heard')).toHaveCount(1);
  await expect(findBanner(page)).toBeHidden();
});

test('leaves a banner that Cookie Settings opened early as the visitor left it when the page becomes idle', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/', { waitUntil: 'load' });
  await page.getByRole('link', { name: 'Cookie Settings' }).dispatchEvent('click');
  const toggle = findBanner(page).getByRole('button', { name: /(Show|Hide) details/ });
  await toggle.dispatchEvent('click');
  await page.evaluate(async () => {
    const moving = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
    await Promise.allSettled(moving.map(({ finished }) => finished));
    for (let moments = 0; moments < 3; moments++) await new Promise((resolve) => requestIdleCallback(resolve));
  });
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
});
