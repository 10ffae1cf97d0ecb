import { content } from '../test-content.ts';
import { chooseEssential, findBanner } from './cookie-banner.ts';
import { expect, type Page, test } from './site.ts';

const { home, pages } = content;

const findHeader = (page: Page) => page.getByRole('banner').first();
const findCall = (page: Page) => findHeader(page).getByRole('link', { name: home.hero.book });
const linkTo = (page: Page, section: keyof typeof pages.labels) =>
  findHeader(page).getByRole('link', { name: pages.labels[section], exact: true });
const findMenu = (page: Page) => findHeader(page).getByRole('button', { name: pages.labels.menu });
const scrollPage = (page: Page, top: number) => page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top);

test.beforeEach(({ page }) => page.addInitScript(chooseEssential));

test("the header stays visible, and its call button appears once the hero's is out of view", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  await expect(findCall(page)).toBeHidden();
  await scrollPage(page, 2000);
  await expect(findCall(page)).toBeInViewport();
  await expect(findCall(page)).toHaveCSS('opacity', '1');
  await scrollPage(page, 0);
  await expect(findCall(page)).toBeHidden();
});

test('with reduced motion, the call button is always visible, and nothing moves', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await expect(findCall(page)).toBeInViewport();
  const moving = () =>
    page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
  expect(await moving()).toBe(0);
  await scrollPage(page, 300);
  expect(await moving()).toBe(0);
});

/** The highlighted links: the one for the section in view. */
const litLinks = (page: Page) =>
  findHeader(page)
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((links) =>
      links.filter((link) => getComputedStyle(link, '::after').opacity === '1').map((link) => link.textContent),
    );

for (const reducedMotion of ['reduce', 'no-preference'] as const) {
  test(`the link to the section in view is highlighted, and none over the hero; motion: ${reducedMotion}`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await page.goto('/');
    for (const section of ['founder', 'faq'] as const) {
      await page.locator(`#${section}`).evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
      await expect.poll(() => litLinks(page)).toEqual([pages.labels[section]]);
    }
    await scrollPage(page, 0);
    await expect.poll(() => litLinks(page)).toEqual([]);
  });
}

test('Tab within the header does not move the page', async ({ page }) => {
  await page.goto('/');
  await scrollPage(page, 2000);
  await linkTo(page, 'focus').focus();
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('Tab');
  expect(await page.evaluate(() => scrollY)).toBe(2000);
});

test('the header is one line and cuts nothing off, even with text spacing or text twice the size', async ({ page }) => {
  await page.goto('/privacy-policy');
  for (const css of [
    '',
    // WCAG 2.2, 1.4.12.
    '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
    'html { font-size: 200% }',
  ]) {
    await page.evaluate((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets = [sheet];
    }, css);
    for (const width of [320, 768, 800, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const bar = await measureBar(page);
      expect(bar.height, `${width} px ${css}`).toBeLessThanOrEqual(72 * (css.includes('200%') ? 2 : 1));
      for (const [at, part] of bar.parts.entries()) {
        const what = `${part.words} at ${width} px ${css}`;
        expect(part.isCut, what).toBe(false);
        expect(part.left, what).toBeGreaterThanOrEqual(bar.parts[at - 1]?.right ?? 0);
        expect(part.right, what).toBeLessThanOrEqual(width);
        expect(part.bottom, what).toBeLessThanOrEqual(bar.bottom + 0.5);
      }
    }
  }
});

/** The header, and what is visible in it, from left to right. */
async function measureBar(page: Page) {
  // The menu's list disappears a moment after the header has changed.
  const isMenu = await findMenu(page).isVisible();
  await expect(findHeader(page).getByRole('link', { name: pages.labels.faq })).toBeVisible({ visible: !isMenu });
  const { y, height } = (await findHeader(page).boundingBox())!;
  const parts = await findHeader(page)
    .getByRole('link')
    .or(findMenu(page))
    .evaluateAll((all) =>
      all
        .filter((part) => part.checkVisibility({ visibilityProperty: true }))
        .map((part) => {
          const { left, right, bottom } = part.getBoundingClientRect();
          return { words: part.textContent, left, right, bottom, isCut: part.scrollWidth > part.clientWidth };
        })
        .toSorted((one, other) => one.left - other.left),
    );
  return { height, bottom: y + height, parts };
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the menu works without any script: it opens, closes on Escape, its button or a tap outside it, and follows a link', async ({
    page,
  }) => {
    await page.route('**/*.js', (route) => route.abort());
    await page.goto('/');
    await expect(linkTo(page, 'faq')).toBeHidden();
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => findMenu(page).tap(),
      () => page.touchscreen.tap(200, 820),
    ]) {
      await findMenu(page).tap();
      await expect(linkTo(page, 'faq')).toBeVisible();
      await close();
      await expect(linkTo(page, 'faq')).toBeHidden();
    }
    // The tap does nothing else.
    await expect(page).toHaveURL('/');
    await findMenu(page).tap();
    await linkTo(page, 'faq').tap();
    await expect(page).toHaveURL('/#faq');
    await expect(linkTo(page, 'faq')).toBeHidden();
    await expect(page.locator('#faq').getByRole('heading', { level: 2 })).toBeInViewport();
  });

  test('with the keyboard, the menu’s links follow its button, Escape returns to the button, and leaving the menu or following a link closes it', async ({
    page,
  }) => {
    await page.goto('/');
    const link = linkTo(page, 'focus');
    const openOnFirstLink = async () => {
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await expect(link).toBeFocused();
    };
    await findMenu(page).focus();
    await openOnFirstLink();
    // The whole focus ring is visible: an outline of 3 px, 3 px away.
    const { y } = (await link.boundingBox())!;
    const list = (await findHeader(page).getByRole('list').boundingBox())!;
    expect(y - list.y).toBeGreaterThanOrEqual(6);
    await page.keyboard.press('Escape');
    await expect(link).toBeHidden();
    await expect(findMenu(page)).toBeFocused();

    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Tab');
    await expect(link).toBeHidden();
    await findMenu(page).focus();
    await page.keyboard.press('Enter');
    await linkTo(page, 'contact').focus();
    await page.keyboard.press('Tab');
    await expect(link).toBeHidden();

    await findMenu(page).focus();
    await openOnFirstLink();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/#focus');
    await expect(link).toBeHidden();
  });

  test('Tab reaches every link in the menu on a small screen, even under the cookie banner', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 256 });
    await page.addInitScript(() => localStorage.clear());
    await page.goto('/');
    await expect(findBanner(page)).toBeVisible();
    await scrollPage(page, 300);
    await findMenu(page).focus();
    await page.keyboard.press('Enter');
    for (const link of await findHeader(page).getByRole('navigation').getByRole('link').all()) {
      await page.keyboard.press('Tab');
      // The page scrolls to the link in the next frame.
      await page.evaluate(() => new Promise(requestAnimationFrame));
      await expect(link).toBeFocused();
      // The links of a closing menu stay visible a moment longer.
      await expect(page.locator('#menu:popover-open')).toBeAttached();
    }
  });
});
