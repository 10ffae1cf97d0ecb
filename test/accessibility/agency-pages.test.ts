import { findBanner } from '../e2e/cookie-banner.ts';
import { expect, type Page, test } from '../e2e/site.ts';
import { expectNoFindings, expectToFit } from './no-findings.ts';

const AGENCY_TESTS = {
  full: test.extend({ baseURL: async ({ fullSite }, use) => use(fullSite.url) }),
  small: test.extend({ baseURL: async ({ elsewhere }, use) => use(elsewhere.url) }),
};

// All tests share one site per agency.
test.describe.configure({ mode: 'default' });

for (const [name, agencyTest] of Object.entries(AGENCY_TESTS)) {
  agencyTest(
    `axe finds nothing on pages of the agency ${name}, the bar is one line, and no word of the footer breaks`,
    async ({ page }) => {
      test.slow();
      await page.goto('/');
      // One portrait is shown unchanged, the other isn't a photograph.
      await expect(page.locator('#founder img')).toHaveCSS('filter', 'none');
      await expectNoFindingsAsAsked(page, name === 'full' ? 390 : 1440);
      await page.goto('/privacy-policy');
      // Only this site has tags, and its policy lists them.
      if (name === 'full') await expectNoFindingsAsAsked(page, 1440);
      for (const width of [320, 360, 390, 768, 1024, 1440]) {
        await expectToFit(page, width);
        expect((await page.getByRole('banner').boundingBox())!.height).toBeLessThan(80);
        expect(await page.getByRole('contentinfo').evaluate(findBrokenWords), `at ${width} px`).toEqual([]);
      }
    },
  );
}

/** Checks the page while the banner asks for consent. */
async function expectNoFindingsAsAsked(page: Page, width: number): Promise<void> {
  await expect(findBanner(page)).toBeVisible();
  await expectToFit(page, width);
  await expectNoFindings(page);
}

/** Words that are split over two lines. An email or web address may break at its dots and hyphens. */
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
