import sharp from 'sharp';
import { findBanner, chooseEssential } from './cookie-banner.ts';
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
// The banner has more text then, and may take up 30% of the screen.
const SIGNAL_SCREENS = [{ width: 390, height: 844, shown: ['headline', 'book', 'talk'], banner: 253 }] as const;

for (const [visit, hasSignal, screens] of [
  ['visit', false, SCREENS],
  ['visit with Global Privacy Control', true, SIGNAL_SCREENS],
] as const) {
  test(`on a first ${visit} the banner covers neither the headline nor the call on any screen, and less on larger ones`, async ({
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

const ofUsualHeight = (width: number) => ({ width, height: 900 });
// In a low window the text is smaller and higher up, next to the same dots.
const SIZES = [...[320, 768, 1024, 1440, 1920].map(ofUsualHeight), { width: 1440, height: 640 }];

for (const [path, reducedMotion, sizes] of [
  ['/', 'reduce', SIZES],
  ['/no-such-page', 'reduce', [320, 768, 1440, 1920].map(ofUsualHeight)],
  // Before the dots gather.
  ['/', 'no-preference', [390, 768, 1440].map(ofUsualHeight)],
] as const) {
  test(`no dot is under text of ${path} at any width; motion: ${reducedMotion}`, async ({ page }) => {
    test.slow();
    await page.addInitScript(chooseEssential);
    await page.emulateMedia({ reducedMotion });
    await page.goto(path);
    for (const size of sizes) {
      await page.setViewportSize(size);
      await page.evaluate(() => {
        for (const animation of document.getAnimations()) {
          if (animation.timeline !== document.timeline) continue;
          animation.pause();
          animation.currentTime = 0;
        }
      });
      // Moving layers change how the background's gradient is rounded, by one step of 256.
      await expectNoDotUnderWords(page, reducedMotion === 'reduce' ? 0 : 7);
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

/** @param tolerance how much the drawing may change a pixel of a line, out of 256 */
async function expectNoDotUnderWords(page: Page, tolerance: number): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const lines = await readLines(page);
  expect(lines.length).toBeGreaterThan(2);
  const shots = await shootLines(page, lines);
  await showArt(page, false);
  const bare = await shootLines(page, lines);
  await showArt(page, true);
  for (const [index, { text }] of lines.entries()) {
    const differences = shots[index]!.map((value, at) => Math.abs(value - bare[index]![at]!));
    expect(Math.max(...differences), `${page.viewportSize()!.width} px: ${text}`).toBeLessThanOrEqual(tolerance);
  }
}

/** Each visible line of text in the first section, with its box. */
function readLines(page: Page) {
  return page.getByRole('heading', { level: 1 }).evaluate((heading) => {
    const section = heading.closest('section') ?? document.querySelector('main')!;
    const texts = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    const lines: { text: string; x: number; y: number; width: number; height: number }[] = [];
    while (texts.nextNode()) {
      // The note for screen readers is hidden by clipping.
      if (getComputedStyle(texts.currentNode.parentElement!).clipPath !== 'none') continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      for (const { x, y, width, height } of range.getClientRects()) {
        if (width > 1 && y + height < innerHeight) lines.push({ text: range.toString(), x, y, width, height });
      }
    }
    return lines;
  });
}

/** The pixels of each line, from a single screenshot of all of them. */
async function shootLines(page: Page, lines: { x: number; y: number; width: number; height: number }[]) {
  const [left, top] = [Math.min(...lines.map(({ x }) => x)), Math.min(...lines.map(({ y }) => y))].map(Math.floor);
  const right = Math.ceil(Math.max(...lines.map(({ x, width }) => x + width)));
  const bottom = Math.ceil(Math.max(...lines.map(({ y, height }) => y + height)));
  const clip = { x: left!, y: top!, width: right - left!, height: bottom - top! };
  const { data, info } = await sharp(await page.screenshot({ clip }))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = ({ x, y, width, height }: (typeof lines)[number]) => {
    const place = { left: Math.floor(x) - clip.x, top: Math.floor(y) - clip.y };
    const size = { width: Math.ceil(x + width) - Math.floor(x), height: Math.ceil(y + height) - Math.floor(y) };
    return sharp(data, { raw: info })
      .extract({ ...place, ...size })
      .raw()
      .toBuffer();
  };
  return Promise.all(lines.map(pixels));
}

async function showArt(page: Page, isShown: boolean) {
  await page.evaluate((shown) => {
    const sheet = new CSSStyleSheet();
    if (!shown) sheet.replaceSync('main [aria-hidden="true"] { visibility: hidden }');
    document.adoptedStyleSheets = [sheet];
  }, isShown);
}
