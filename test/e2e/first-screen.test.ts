import { findBanner } from './cookie-banner.ts';
import { content } from '../test-content.ts';
import { expect, type Page, test } from './site.ts';

const { hero } = content.home;
const SCREENS = [
  { width: 390, height: 844, shown: ['headline', 'pitch', 'book', 'talk'], banner: 200 },
  { width: 375, height: 667, shown: ['headline', 'pitch', 'book', 'talk'], banner: 200 },
  { width: 360, height: 640, shown: ['headline', 'book'], banner: 200 },
  { width: 320, height: 568, shown: ['headline', 'book'], banner: 240 },
  { width: 1280, height: 640, shown: ['headline', 'pitch', 'book', 'talk'], banner: 200 },
] as const;
// With Global Privacy Control, the banner has more text, and may take up 30% of the screen.
const SIGNAL_SCREENS = [{ width: 390, height: 844, shown: ['headline', 'book', 'talk'], banner: 253 }] as const;

for (const [visit, hasSignal, screens] of [
  ['visit', false, SCREENS],
  ['visit with Global Privacy Control', true, SIGNAL_SCREENS],
] as const) {
  test(`on a first ${visit} the banner covers neither the headline nor the call button on any screen, and covers less on larger ones`, async ({
    page,
  }) => {
    await page.addInitScript((given) => Object.assign(navigator, { globalPrivacyControl: given }), hasSignal);
    await page.goto('/');
    await expect(findBanner(page)).toBeVisible();
    for (const { width, height, shown, banner } of screens) {
      await page.setViewportSize({ width, height });
      const card = (await findBanner(page).locator('> div').boundingBox())!;
      expect(height - card.y, `${width}×${height}`).toBeLessThanOrEqual(banner);
      for (const part of shown) {
        const box = (await findParts(page)[part].boundingBox())!;
        expect(box.y + box.height, `${part} at ${width}×${height}`).toBeLessThanOrEqual(card.y);
      }
    }
  });
}

function findParts(page: Page) {
  const main = page.getByRole('main');
  return {
    headline: page.getByRole('heading', { level: 1 }),
    pitch: main.getByText(hero.pitch),
    book: main.getByRole('link', { name: hero.book }).first(),
    talk: main.getByRole('link', { name: hero.talk }).first(),
  };
}
