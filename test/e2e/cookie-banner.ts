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
