import { chooseEssential } from './cookie-banner.ts';
import { expectDone, fillIn, findForm, makeAddress, pressJoin } from './sign-up-form.ts';
import { expect, type Page, test } from './site.ts';
import { content } from '../test-content.ts';

// How the pages look isn't measured: look at them at 360, 390, 768 and 1440 px, in light and dark.

test.beforeEach(async ({ page }) => {
  await page.addInitScript(chooseEssential);
  await page.goto('/');
});

for (const path of ['/', '/privacy-policy', '/nowhere']) {
  test(`nothing on ${path} scrolls sideways, no two controls overlap, and each can be pressed with a thumb`, async ({
    page,
  }) => {
    await page.goto(path);
    for (const text of [100, 200]) {
      await page.evaluate((percent) => (document.documentElement.style.fontSize = `${percent}%`), text);
      for (const width of [320, 600, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const { overflow, overlapping, small } = await measureControls(page);
        const where = `${width} px, text of ${text}%`;
        expect(overflow, where).toBeLessThanOrEqual(0);
        expect(overlapping, where).toEqual([]);
        expect(small, where).toEqual([]);
      }
    }
  });
}

test("an error doesn't change a form's height at any width", async ({ page }) => {
  const form = page.getByRole('form').first();
  const measureHeights = async () => {
    const heights = [];
    for (const width of [1440, 600, 320]) {
      await page.setViewportSize({ width, height: 900 });
      heights.push(await form.evaluate((element) => element.getBoundingClientRect().height));
    }
    return heights;
  };
  const heights = await measureHeights();
  const expectHeights = async (message: string) => {
    await expect(form.getByText(message)).toBeVisible();
    expect(await measureHeights(), message).toEqual(heights);
  };
  await form.getByLabel('Email').fill('anna');
  await pressJoin(form);
  await expectHeights('Please enter a valid email address.');
  await form.getByLabel('Email').fill('anna@example.test');
  await pressJoin(form);
  await expectHeights('Please consent to receiving updates to continue.');
});

test('what is below a form stays where it is after a sign-up, and on a phone it slides up', async ({ page }) => {
  const findFooter = () =>
    page.getByRole('contentinfo').evaluate((element) => Math.round(element.getBoundingClientRect().top + scrollY));
  const signUp = async () => {
    const form = findForm(page);
    await fillIn(form, makeAddress());
    await pressJoin(form);
    await expectDone(page);
  };
  await page.setViewportSize({ width: 1440, height: 900 });
  const place = await findFooter();
  await signUp();
  expect(await findFooter()).toBe(place);
  await page.evaluate(() => sessionStorage.clear());
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  const onPhone = await findFooter();
  await signUp();
  await expect.poll(findFooter).toBeLessThan(onPhone - 100);
});

test('a screen reader reads the shortlist as two sentences, and the drawing prints', async ({ page }) => {
  const { shortlist } = content.home.process;
  const process = page.locator('#process');
  const snapshot = await process.ariaSnapshot();
  expect(snapshot).toContain(shortlist!.text);
  expect(snapshot).not.toContain(shortlist!.sheet.columns[0]);
  await page.emulateMedia({ media: 'print' });
  const sheet = process.locator('div[aria-hidden]').last();
  await expect(sheet).toBeVisible();
  await expect(sheet).toHaveCSS('print-color-adjust', 'exact');
});

test('with forced colours, the dots of header, menu and questions are still visible', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.setViewportSize({ width: 1440, height: 900 });
  const canvas = await readColour(page, 'body', '', 'backgroundColor');
  const link = page.getByRole('banner').getByRole('navigation').getByRole('link').first();
  await link.focus();
  expect(await link.evaluate((element) => getComputedStyle(element, '::after').backgroundColor)).not.toBe(canvas);
  expect(await readColour(page, '#faq details', '::before', 'backgroundColor')).not.toBe(canvas);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await readColour(page, 'nav > button', '::after', 'backgroundImage')).toContain('gradient');
});

/** Buttons, fields, questions and links that stand alone, not links within sentences. */
function measureControls(page: Page) {
  return page.evaluate(() => {
    const isApart = ({ clipPath, display }: CSSStyleDeclaration) => clipPath === 'none' && display !== 'inline';
    const controls = [...document.querySelectorAll<HTMLElement>('a, button, select, summary, input:not([tabindex])')]
      .map((control) => control.closest('label') ?? control)
      .filter((control) => control.checkVisibility({ visibilityProperty: true }))
      .map((control) => ({ control, box: control.getBoundingClientRect(), text: control.textContent.trim() }))
      .filter(({ box, control }) => box.width > 1 && isApart(getComputedStyle(control)));
    const overlap = (one: DOMRect, other: DOMRect) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const isInHeader = (control: HTMLElement) => control.closest('header') !== null;
    const pairs = controls.flatMap((one, index) => controls.slice(index + 1).map((other) => [one, other] as const));
    return {
      overflow: document.documentElement.scrollWidth - innerWidth,
      overlapping: pairs
        // The header stays above what scrolls under it.
        .filter(([one, other]) => isInHeader(one.control) === isInHeader(other.control) && overlap(one.box, other.box))
        .map(([one, other]) => `${one.text} / ${other.text}`),
      small: controls
        .filter(({ control, box }) => control.matches('button, select, summary, label') && box.height < 44)
        .map(({ text, box }) => `${text}: ${box.height} px`),
    };
  });
}

function readColour(page: Page, selector: string, part: string, property: 'backgroundColor' | 'backgroundImage') {
  return page
    .locator(selector)
    .first()
    .evaluate((element, [of, name]) => getComputedStyle(element, of)[name], [part, property] as const);
}
