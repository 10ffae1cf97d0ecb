import { expect, test } from '@playwright/test';
import { AGENCIES } from '../agencies/agencies.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { expectNoFindings } from './no-findings.ts';

for (const { name, build } of AGENCIES) {
  test.describe(`the agency ${name}`, () => {
    let site: RunningSite;

    test.beforeAll(async () => {
      site = await startSite({ build });
    });
    test.afterAll(() => site.stop());

    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [390, 1440]) {
        test.describe(`in ${colorScheme} at ${width} px`, () => {
          test.use({ colorScheme, viewport: { width, height: 900 } });

          test('the bar is one line, however long the name is', async ({ page }) => {
            await page.goto(`${site.url}/privacy-policy`);
            expect((await page.getByRole('banner').boundingBox())!.height).toBeLessThan(80);
          });

          for (const path of ['/', '/privacy-policy', '/nowhere']) {
            test(`${path} has nothing that axe finds, and nothing that runs off the screen`, async ({ page }) => {
              await page.goto(site.url + path, { waitUntil: 'networkidle' });
              await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
              await expectNoFindings(page);
              const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
              expect(sideways).toBeLessThanOrEqual(0);
            });
          }
        });
      }
    }
  });
}
