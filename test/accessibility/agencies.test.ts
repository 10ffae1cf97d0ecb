import { expect, test } from '@playwright/test';
import { AGENCIES } from '../agencies/agencies.ts';
import { bannerOf } from '../e2e/cookie-banner.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { expectNoFindings } from './no-findings.ts';

for (const { name, build } of AGENCIES) {
  test.describe(`the agency ${name}`, () => {
    let site: RunningSite;

    test.beforeAll(async () => {
      site = await startSite({ build });
    });
    test.afterAll(() => site.stop());

    test('the bar is one line, however long the name is', async ({ page }) => {
      for (const width of [320, 360, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${site.url}/privacy-policy`);
        expect((await page.getByRole('banner').boundingBox())!.height).toBeLessThan(80);
      }
    });

    for (const path of ['/', '/privacy-policy', '/nowhere']) {
      test(`axe finds nothing on ${path}, and nothing runs off the screen`, async ({ page }) => {
        await page.goto(site.url + path);
        await expect(bannerOf(page)).toBeVisible();
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await expectNoFindings(page);
          const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(sideways).toBeLessThanOrEqual(0);
        }
      });
    }
  });
}
