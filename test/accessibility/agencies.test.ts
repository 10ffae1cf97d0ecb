import { expect, test } from '@playwright/test';
import { AGENCIES } from '../agencies/agencies.ts';
import { TEST_SITE } from '../built-sites.ts';
import { findBanner } from '../e2e/cookie-banner.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { expectNoFindingsAt } from './no-findings.ts';

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

    test('the lines of the footer wrap where words end', async ({ page }) => {
      await page.goto(`${site.url}/privacy-policy`);
      for (const width of [320, 390, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.getByRole('contentinfo').evaluate(findBrokenWords), `at ${width} px`).toEqual([]);
      }
    });

    for (const path of ['/', '/privacy-policy', '/nowhere']) {
      test(`axe finds nothing on ${path}, and nothing runs off the screen`, async ({ page }) => {
        await page.goto(site.url + path);
        await expect(findBanner(page)).toBeVisible();
        await expectNoFindingsAt(page, [390, 1440]);
      });
    }
  });
}

test('a photograph that is to stay natural keeps its colours', async ({ page }) => {
  for (const [build, filter] of [
    [AGENCIES[0]!.build, 'none'],
    [TEST_SITE, /grayscale/],
  ] as const) {
    const site = await startSite({ build });
    await page.goto(site.url);
    await expect(page.locator('#founder img')).toHaveCSS('filter', filter);
    await site.stop();
  }
});

/** Words of which a part is on another line; an address may break at its dots and hyphens. */
function findBrokenWords(element: HTMLElement | SVGElement): string[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const broken: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[^\s.@-]+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
    }
  }
  return broken;
}
