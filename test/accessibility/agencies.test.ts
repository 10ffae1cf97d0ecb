import { findBanner } from '../e2e/cookie-banner.ts';
import { expect, test } from '../e2e/site.ts';
import { expectNoFindingsAt } from './no-findings.ts';

const AGENCY_TESTS = {
  full: test.extend({ baseURL: async ({ fullSite }, use) => use(fullSite.url) }),
  small: test.extend({ baseURL: async ({ elsewhere }, use) => use(elsewhere.url) }),
};

for (const [name, agencyTest] of Object.entries(AGENCY_TESTS)) {
  agencyTest(
    `of the agency ${name} the bar is one line, and the lines of the footer wrap where words end`,
    async ({ page }) => {
      await page.goto('/privacy-policy');
      for (const width of [320, 360, 390, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect((await page.getByRole('banner').boundingBox())!.height).toBeLessThan(80);
        expect(await page.getByRole('contentinfo').evaluate(findBrokenWords), `at ${width} px`).toEqual([]);
      }
    },
  );

  for (const path of ['/', '/privacy-policy', '/nowhere']) {
    agencyTest(`axe finds nothing on ${path} of the agency ${name}, wide or narrow`, async ({ page }) => {
      await page.goto(path);
      await expect(findBanner(page)).toBeVisible();
      await expectNoFindingsAt(page, [390, 1440]);
    });
  }
}

AGENCY_TESTS.full('a photograph that is to stay natural keeps its colours', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('#founder img')).toHaveCSS('filter', 'none');
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
