import { expect, type Locator, type Page } from '@playwright/test';

/** The cookie banner, whether it shows or not. */
export function findBanner(page: Page): Locator {
  return page.getByRole('region', { name: 'This website uses cookies' });
}

/** In the browser, before the page: the choice is made, so that the banner is closed. */
export function chooseEssential(): void {
  localStorage.setItem('cookie_consent', 'essential');
  localStorage.setItem('cookie_consent_timestamp', String(Date.now()));
}

/** Opens the banner by the link in the footer. */
export async function openSettings(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Cookie Settings' }).click();
  await expect(findBanner(page)).toBeVisible();
}

/** Opens the banner by the link in the footer, and its details. */
export async function openDetails(page: Page): Promise<void> {
  await openSettings(page);
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
}

/** A visitor who allowed Statistics alone, but for what differs; stored once, before the first page is read. */
export async function storeBefore(page: Page, change: Record<string, string>) {
  const preferences = { necessary: true, preferences: false, statistics: true, marketing: false };
  const items = {
    cookie_consent: 'custom',
    cookie_consent_timestamp: String(Date.now() - 24 * 3_600_000),
    cookie_preferences: JSON.stringify(preferences),
    ...change,
  };
  // A page of ours names its icon; for any other file the browser would ask for one that is not there.
  await page.goto('/privacy-policy');
  await page.evaluate((stored) => {
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  }, items);
}
