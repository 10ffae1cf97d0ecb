import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { TEST_SITE } from '../built-sites.ts';
import { startSite } from '../running-site.ts';
import { expectNoFindings } from './no-findings.ts';

test("axe finds nothing on the owner's report, and nothing runs off the screen", async ({ page }) => {
  const site = await startSite();
  try {
    const source = `Footer | utm_campaign=${'a-campaign-with-a-long-name-'.repeat(6)}`;
    const signUp = { email: 'anna@example.org', name: '', role: 'Founder', source };
    const body = JSON.stringify(signUp);
    await fetch(`${site.url}/api/newsletter`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    const command = join(TEST_SITE, 'server/subscribers.js');
    spawnSync(process.execPath, [command, 'report'], { env: { DATA_DIR: site.dataDir } });
    await page.goto(pathToFileURL(join(site.dataDir, 'report.html')).href);
    await expect(page.getByRole('row', { name: /^New, campaign/ })).toBeVisible();
    for (const width of [320, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoFindings(page);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sideways).toBeLessThanOrEqual(0);
    }
  } finally {
    await site.stop();
  }
});
