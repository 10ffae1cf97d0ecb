import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails with what axe finds on the page as it stands, each with its place. */
export async function expectNoFindings(page: Page) {
  // What moves is looked at where it comes to rest; what moves with the scrolling never finishes,
  // and what is taken away meanwhile ends without finishing.
  await page.evaluate(
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
    LONGEST_MOVE_MS,
  );
  // The pages have no frames, for which the usual way opens another page each time.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)])).toEqual([]);
}

/** What lasts longer is a message's time on the screen: it is looked at while it stands there. */
const LONGEST_MOVE_MS = 2000;
