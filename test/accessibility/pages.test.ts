import { content } from '../test-content.ts';
import { findBanner } from '../e2e/cookie-banner.ts';
import { expect, type Page, PAGES, test } from '../e2e/site.ts';
import { markupFindings } from '../markup.ts';
import { expectNoFindings, expectNoFindingsAt } from './no-findings.ts';
import { expectDone, expectHydrated, fillIn, findForm, findToast, pressJoin } from '../e2e/sign-up-form.ts';

const WIDTHS: [number, number] = [390, 1440];

for (const path of PAGES) {
  test(`axe finds nothing on ${path}, its markup is valid, its live regions are empty, and nothing is wider than the screen`, async ({
    page,
  }) => {
    const html = await (await page.goto(path))!.text();
    expect(html.match(/<[^>]+aria-live="[^>]*>(?=<\/)/g)).toHaveLength(1);
    // The forms' own regions, for suggested addresses, are empty too.
    await expect(page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: /./ })).toHaveCount(0);
    await expect(findBanner(page)).toBeVisible();
    if (path === '/') await openLastAnswer(page);
    await expectNoFindingsAt(page, WIDTHS);
    await hydrateForms(page);
    expect(await markupFindings(await page.content(), 'hydrated')).toEqual([]);
    await expectNothingWider(page);
  });
}

test('axe finds nothing on a form with an error and its message, or after a sign-up', async ({ page }) => {
  // Each axe run takes seconds on a busy machine.
  test.slow();
  await page.goto('/');
  const form = findForm(page, 'Footer');
  await form.getByLabel('Email').focus();
  await page.getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
  await pressJoin(form);
  await expect(form.getByText('Please enter your email address.')).toBeVisible();
  // A message stays while it has the focus.
  await findToast(page).getByRole('button').focus();
  await expectNoFindingsAt(page, WIDTHS);
  await expect(findToast(page)).toBeVisible();
  expect(await markupFindings(await page.content(), 'hydrated')).toEqual([]);

  await fillIn(form, 'axe@example.org');
  await pressJoin(form);
  await expectDone(page, 'Footer');
  await expectNoFindingsAt(page, WIDTHS);
});

test('axe finds nothing on the pages that follow a form without its script', async ({ page }) => {
  await page.route('**/*.js', (route) => route.abort());
  await page.goto('/');
  const send = async (email: string) => {
    await page.getByRole('textbox', { name: 'Email' }).last().fill(email);
    await page.getByRole('checkbox').last().check();
    await page.getByRole('button', { name: 'Join the List' }).last().click();
  };
  await findForm(page, 'Footer').scrollIntoViewIfNeeded();
  await send('nobody@nowhere');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectNoFindingsAt(page, WIDTHS);
  await send('plain@example.org');
  await expect(page.getByRole('heading', { level: 1, name: "You're All Set!" })).toBeVisible();
  await expectNoFindingsAt(page, WIDTHS);
});

test('axe finds nothing on the banner’s details, an open explanation and a changed switch', async ({ page }) => {
  await page.goto('/');
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
  await findBanner(page).getByRole('switch', { name: 'Statistics' }).click();
  await findBanner(page).getByRole('heading', { name: 'Statistics', exact: true }).click();
  await expectNoFindingsAt(page, WIDTHS);
  expect(await markupFindings(await page.content(), 'hydrated')).toEqual([]);
});

test('axe finds nothing on the open list of roles and the open menu, and placeholders have a contrast of 4.5:1', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const role = findForm(page, 'Footer').getByLabel('Role');
  await role.click();
  await expect(role.getByRole('option').last()).toBeVisible();
  await expectNoFindings(page);
  const fields = page.locator('form [placeholder]');
  expect(await fields.count()).toBeGreaterThanOrEqual(2);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const field of await fields.all())
      expect(await field.evaluate(contrastOfPlaceholder), colorScheme).toBeGreaterThanOrEqual(4.5);
  }
  await page.getByRole('button', { name: content.pages.labels.menu }).click();
  await expect(page.getByRole('link', { name: content.pages.labels.faq, exact: true })).toBeVisible();
  await expectNoFindings(page);
});

async function openLastAnswer(page: Page): Promise<void> {
  await page.locator('#faq summary').last().click();
  await expect(page.locator('#faq details[open] p')).toBeVisible();
}

async function hydrateForms(page: Page): Promise<void> {
  for (const form of await page.getByRole('form').all()) {
    await form.dispatchEvent('pointerdown');
    await expectHydrated(page, form);
  }
}

/** Tries text of twice the size, and a heading that is one long word. */
async function expectNothingWider(page: Page): Promise<void> {
  for (const fontSize of ['200%', '100%']) {
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), fontSize);
    for (const width of [1440, 1024, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, `${width} px, text of ${fontSize}`).toBeLessThanOrEqual(0);
    }
  }
  const cut = await page.getByRole('heading').evaluateAll((headings) => {
    for (const heading of headings) heading.textContent = 'Donaudampfschifffahrtsgesellschaftskapitän';
    return headings.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length;
  });
  expect(cut).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}

/** The contrast (WCAG 2.2) of a placeholder, which axe doesn't check. Runs in the page. */
function contrastOfPlaceholder(field: Element): number {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
  const paint = (colour: string, opacity = 1) => {
    canvas.globalAlpha = opacity;
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = Array.from(canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const ground = paint(getComputedStyle(field).backgroundColor);
  const { color, opacity } = getComputedStyle(field, '::placeholder');
  const text = paint(color, Number(opacity));
  return (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05);
}
