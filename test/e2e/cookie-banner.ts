import { expect, type Locator, type Page } from '@playwright/test';

/** The cookie banner, visible or not. */
export function findBanner(page: Page): Locator {
  return page.getByRole('region', { name: 'This website uses cookies' });
}

/** Runs before the page loads: stores a choice, so that the banner is closed. */
export function chooseEssential(): void {
  localStorage.setItem('cookie_consent', 'essential');
  localStorage.setItem('cookie_consent_timestamp', String(Date.now()));
}

/** Opens the banner with the link in the footer. */
export async function openSettings(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Cookie Settings' }).click();
  await expect(findBanner(page)).toBeVisible();
}

/** Opens the banner with the link in the footer, then its details. */
export async function openDetails(page: Page): Promise<void> {
  await openSettings(page);
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
}

/** Stores, before the first page, the choice of a visitor who allowed only Statistics, with the given changes. */
export async function storeBefore(page: Page, change: Record<string, string>) {
  const preferences = { necessary: true, preferences: false, statistics: true, marketing: false };
  const items = {
    cookie_consent: 'custom',
    cookie_consent_timestamp: String(Date.now() - 24 * 3_600_000),
    cookie_preferences: JSON.stringify(preferences),
    ...change,
  };
  // Our pages link an icon. On any other file the browser would request one that doesn't exist.
  await page.goto('/privacy-policy');
  await page.evaluate((stored) => {
    for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  }, items);
}
