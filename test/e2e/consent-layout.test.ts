import { findBanner } from './cookie-banner.ts';
import { expect, type Page, test } from './site.ts';

test('makes both buttons look alike and at least 44 px high', async ({ page }) => {
  const WIDTHS = [320, 390, 768, 1440];
  const looks = new Set<string>();
  for (const path of ['/', '/privacy-policy']) {
    await page.goto(path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      for (const name of ['Allow All', 'Deny Non-Essential']) {
        const answer = findBanner(page).getByRole('button', { name, exact: true });
        const box = (await answer.boundingBox())!;
        expect(box.height).toBeGreaterThanOrEqual(44);
        const style = await answer.evaluate((button) => {
          const { backgroundColor, color, font, border, borderRadius, opacity } = getComputedStyle(button);
          return [backgroundColor, color, font, border, borderRadius, opacity];
        });
        looks.add([width, Math.round(box.width), box.height, box.y, ...style].join(' '));
      }
    }
  }
  expect([...looks]).toHaveLength(WIDTHS.length);
});

for (const { what, text, ...size } of [
  { what: 'a phone', text: 200, width: 390, height: 844 },
  { what: 'a laptop', text: 100, width: 1280, height: 720 },
]) {
  test(`on ${what}, with text of ${text}%, the banner covers neither the end of the page nor the focused element`, async ({
    page,
  }) => {
    test.slow();
    await page.setViewportSize(size);
    await page.goto('/');
    await setText(page, text);
    await findBanner(page).getByRole('button', { name: 'Show details' }).click();
    await expectNoOverflow(page);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const end = await page.getByRole('contentinfo').evaluate((footer) => footer.getBoundingClientRect().bottom);
    expect(end).toBeLessThanOrEqual((await measureBox(page)).top + 1);
    const { seen, hidden } = await tabThrough(page);
    expect(hidden).toEqual([]);
    expect(seen).toContain('Cookie Settings');
    expect(seen.length).toBeGreaterThan(30);
  });
}

test('on the smallest screens everything in the banner can be scrolled to', async ({ page }) => {
  await page.goto('/');
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
  await findBanner(page).getByRole('heading', { name: 'Marketing' }).click();
  const controls = findBanner(page).locator('button, a, summary, input:enabled');
  expect(await controls.count()).toBeGreaterThan(10);
  // A small phone, a phone in landscape, a laptop zoomed to 400%.
  for (const [width, height] of [
    [320, 568],
    [667, 375],
    [320, 180],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expectNoOverflow(page);
    const card = await measureBox(page);
    expect(card.top).toBeGreaterThanOrEqual(0);
    expect(card.bottom).toBeLessThanOrEqual(height);
    const boxes = await controls.evaluateAll((all: HTMLElement[]) =>
      all.map((control) => {
        control.focus();
        return control.getBoundingClientRect();
      }),
    );
    for (const box of boxes) {
      expect(box.left).toBeGreaterThanOrEqual(card.left);
      expect(box.right).toBeLessThanOrEqual(card.right);
      expect(box.top).toBeGreaterThanOrEqual(card.top - 1);
      expect(box.bottom).toBeLessThanOrEqual(card.bottom + 1);
    }
  }
});

test('using the banner does not move the page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await expect(findBanner(page)).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 1200));
  await findBanner(page).getByRole('button', { name: 'Show details' }).press('Enter');
  await findBanner(page).getByRole('switch', { name: 'Marketing' }).press('Space');
  await findBanner(page).locator('summary').last().press('Enter');
  expect(await page.evaluate(() => scrollY)).toBe(1200);
  // In forced colours a switch is the browser’s own, so its state is visible.
  await page.emulateMedia({ forcedColors: 'active' });
  await expect(findBanner(page).getByRole('switch', { name: 'Marketing' })).toHaveCSS('appearance', 'auto');
});

async function measureBox(page: Page) {
  const card = findBanner(page).locator('> div');
  await expect(card).toBeVisible();
  return card.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return { top, bottom, left, right };
  });
}

/** Sets the browser's text size, in per cent. */
async function setText(page: Page, percent: number) {
  await expect(findBanner(page)).toBeVisible();
  await page.evaluate(async (size) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`html { font-size: ${size}% }`);
    document.adoptedStyleSheets = [sheet];
    // The header's links become a menu. They can be focused until they have faded out.
    const fading = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(fading.map(({ finished }) => finished));
  }, percent);
}

/**
 * Tabs through the whole page. @returns the text of everything that had the focus, and what the banner covered of it
 */
async function tabThrough(page: Page): Promise<{ seen: string[]; hidden: string[] }> {
  await page.evaluate(() => {
    window.scrollTo(0, 0);
    (document.activeElement as HTMLElement).blur();
  });
  const seen: string[] = [];
  const hidden: string[] = [];
  while (seen.length < 200) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(() => {
      const focused = document.activeElement!;
      if (focused === document.body) return undefined;
      const card = document.querySelector('#ask-first section > div')!.getBoundingClientRect();
      const box = focused.getBoundingClientRect();
      const within = document.querySelector('#ask-first')!.contains(focused);
      const offScreen = box.bottom <= 0 || box.top >= innerHeight;
      const under = !within && box.top >= card.top && box.left >= card.left && box.right <= card.right;
      const place = `${focused.textContent} at ${Math.round(box.top)}–${Math.round(box.bottom)}`;
      return { text: focused.textContent, hidden: under || offScreen ? [place] : [] };
    });
    if (focus === undefined) break;
    seen.push(focus.text);
    hidden.push(...focus.hidden);
  }
  return { seen, hidden };
}

async function expectNoOverflow(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  const card = findBanner(page).locator('> div');
  expect(await card.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
}
