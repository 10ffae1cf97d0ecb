import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '../e2e/site.ts';

for (const width of [320, 1280]) {
  test(`at ${width} px the banner has nothing that axe finds, in any of its states`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    const banner = page.getByRole('region', { name: 'This website uses cookies' });
    await expect(banner).toBeVisible();
    await expectNoFindings(page);
    await banner.getByRole('button', { name: 'Show details' }).click();
    await expectNoFindings(page);
    for (const name of ['Necessary', 'Statistics']) {
      await banner.getByRole('button', { name, exact: true }).click();
      await expectNoFindings(page);
    }
    await banner.getByRole('switch', { name: 'Statistics' }).click();
    await expectNoFindings(page);
    await banner.getByRole('button', { name: 'Allow Selection' }).click();
    await expect(banner).toBeHidden();
    await expectNoFindings(page);
    await page.getByRole('link', { name: 'Cookie Settings' }).click();
    await expect(banner).toBeVisible();
    await expectNoFindings(page);
  });
}

async function expectNoFindings(page: Page) {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)])).toEqual([]);
}
