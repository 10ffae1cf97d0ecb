import { findBanner, openSettings } from '../e2e/cookie-banner.ts';
import { expect, test } from '../e2e/site.ts';
import { expectNoFindings } from './no-findings.ts';

for (const width of [320, 1280]) {
  test(`at ${width} px axe finds nothing on the banner in any of its states`, async ({ page }) => {
    test.slow();
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    const banner = findBanner(page);
    await expect(banner).toBeVisible();
    await expectNoFindings(page);
    await banner.getByRole('button', { name: 'Show details' }).click();
    await expectNoFindings(page);
    for (const name of ['Necessary', 'Statistics']) {
      await banner.getByRole('heading', { name, exact: true }).click();
      await expectNoFindings(page);
    }
    await banner.getByRole('switch', { name: 'Statistics' }).click();
    await expectNoFindings(page);
    await banner.getByRole('button', { name: 'Allow Selection' }).click();
    await expect(banner).toBeHidden();
    await expectNoFindings(page);
    await openSettings(page);
    await expectNoFindings(page);
  });
}
