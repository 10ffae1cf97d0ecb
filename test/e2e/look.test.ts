import { chooseEssential } from './cookie-banner.ts';
import { expect, type Page, test } from './site.ts';

test.beforeEach(({ page }) => page.addInitScript(chooseEssential));

test('the headline keeps clear of the three, whatever size text has', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  for (const size of [100, 200]) {
    await page.evaluate((percent) => (document.documentElement.style.fontSize = `${percent}%`), size);
    const words = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
    const first = (await page.locator('main > section > [aria-hidden] > i').first().boundingBox())!;
    expect(words.x + words.width).toBeLessThan(first.x);
  }
});

test('a button stays as high as it is, however long the consent beside it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  const form = page.getByRole('form').first();
  await form.locator('label', { has: page.getByRole('checkbox') }).evaluate((label) => {
    label.append(' and of much else that is worth knowing about the market in which you hire'.repeat(3));
  });
  expect((await form.getByRole('button').boundingBox())!.height).toBe(54);
});

test("with the visitor's own colours the dots of the bar, the menu and the questions are still seen", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  const canvas = await colourOf(page, 'body', '', 'backgroundColor');
  const link = page.getByRole('banner').getByRole('navigation').getByRole('link').first();
  await link.focus();
  expect(await link.evaluate((element) => getComputedStyle(element, '::after').backgroundColor)).not.toBe(canvas);
  expect(await colourOf(page, '#faq details', '::before', 'backgroundColor')).not.toBe(canvas);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await colourOf(page, 'nav > button', '::after', 'backgroundImage')).toContain('gradient');
});

function colourOf(page: Page, selector: string, part: string, property: 'backgroundColor' | 'backgroundImage') {
  return page
    .locator(selector)
    .first()
    .evaluate((element, [of, name]) => getComputedStyle(element, of)[name], [part, property] as const);
}
