import { expect, type Locator, type Page } from '@playwright/test';

/** The cookie banner, whether it shows or not. */
export function bannerOf(page: Page): Locator {
  return page.getByRole('region', { name: 'This website uses cookies' });
}

/** Opens the banner by the link in the footer. */
export async function openSettings(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Cookie Settings' }).click();
  await expect(bannerOf(page)).toBeVisible();
}
