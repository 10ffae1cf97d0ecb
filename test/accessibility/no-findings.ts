import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * Fails with what axe finds on the page as it is, each with its place: by every rule in the light scheme, and by
 * the rules about colour in the dark one, since nothing but colours differs between the two (src/shared/tokens.ts).
 */
export async function expectNoFindings(page: Page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  expect(await listFindings(page, 'light', {})).toEqual([]);
  expect(await listFindings(page, 'dark', { runOnly: ['cat.color'] })).toEqual([]);
}

/** The same at each width in pixels, where nothing runs off the screen either. */
export async function expectNoFindingsAt(page: Page, widths: number[]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoFindings(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

async function listFindings(page: Page, colorScheme: 'light' | 'dark', options: axe.RunOptions): Promise<string[][]> {
  await page.emulateMedia({ colorScheme });
  await motionEnds(page);
  return page.evaluate(async (rules) => {
    const { axe: engine } = window as never as { axe: typeof axe };
    const { violations } = await engine.run({ ...rules, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
  }, options);
}

/**
 * Waits for animations to end. Those that follow the scrolling never finish, and a removed element's animation ends
 * without finishing.
 */
function motionEnds(page: Page): Promise<unknown> {
  return page.evaluate(
    (longest) =>
      Promise.allSettled(
        document
          .getAnimations()
          .filter(({ timeline, effect }) => {
            const { endTime } = effect!.getComputedTiming();
            return timeline === document.timeline && Number(endTime) <= longest;
          })
          .map((animation) => animation.finished),
      ),
    MAX_MOVE_MS,
  );
}

/** A longer animation is a message's time on the screen: the message is checked while it shows. */
const MAX_MOVE_MS = 2000;
