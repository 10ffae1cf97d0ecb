import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * Fails with axe's findings on the current page and where they are: by every rule in the light scheme, and by
 * the colour rules in the dark one, since only colours differ between the two (src/shared/design-tokens.ts).
 */
export async function expectNoFindings(page: Page) {
  expect(await listFindings(page, 'light', {})).toEqual([]);
  expect(await listFindings(page, 'dark', { runOnly: ['cat.color'] })).toEqual([]);
}

/** Checks every rule at two widths, the second in the dark scheme, and that nothing is too wide. */
export async function expectNoFindingsAt(page: Page, [first, second]: [number, number]) {
  await expectToFit(page, first);
  expect(await listFindings(page, 'light', {})).toEqual([]);
  await expectToFit(page, second);
  expect(await listFindings(page, 'dark', {})).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Fails if the page scrolls sideways at a width. */
export async function expectToFit(page: Page, width: number) {
  await page.setViewportSize({ width, height: 900 });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(overflow, { message: `${width} px` }).toBeLessThanOrEqual(0);
}

async function listFindings(page: Page, colorScheme: 'light' | 'dark', options: axe.RunOptions): Promise<string[][]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme });
  await endMotion(page);
  return page.evaluate(async (rules) => {
    const { axe: engine } = window as never as { axe: typeof axe };
    const { violations } = await engine.run({ ...rules, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
  }, options);
}

/** Finishes all animations except scroll-driven ones. */
function endMotion(page: Page): Promise<void> {
  return page.evaluate((longest) => {
    for (const animation of document.getAnimations()) {
      const { endTime } = animation.effect!.getComputedTiming();
      if (animation.timeline === document.timeline && Number(endTime) <= longest) animation.finish();
    }
  }, MAX_MOVE_MS);
}

/** Longer animations only time how long a message is shown; ending them would hide it before it is checked. */
const MAX_MOVE_MS = 2000;
