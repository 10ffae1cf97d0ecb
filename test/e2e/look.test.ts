import type { Locator } from '@playwright/test';
import { chooseEssential } from './cookie-banner.ts';
import { expect, type Page, test } from './site.ts';
import { content } from '../test-content.ts';

test.beforeEach(async ({ page }) => {
  await page.addInitScript(chooseEssential);
  await page.goto('/');
});

test('the headline keeps clear of the three dots, with text twice the size too', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const size of [100, 200]) {
    await page.evaluate((percent) => (document.documentElement.style.fontSize = `${percent}%`), size);
    const words = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
    const first = (await page.locator('main > section > [aria-hidden] > i').first().boundingBox())!;
    expect(words.x + words.width).toBeLessThan(first.x);
  }
});

test("with text twice the size no word of the fields or the footer breaks, and the questions' dots are on the screen", async ({
  page,
}) => {
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const title = page.locator('#focus h3').first();
  await title.evaluate((element) => (element.textContent = 'Cybersecurity SaaS'));
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findBrokenWords(title), `${width} px`).toEqual([]);
    expect(await findBrokenWords(page.getByRole('contentinfo').getByText(content.agency.name).first())).toEqual([]);
    const question = page.locator('#faq details').first();
    const left = await question.evaluate((element) => {
      const { left: offset, marginLeft } = getComputedStyle(element, '::after');
      return element.getBoundingClientRect().left + parseFloat(offset) + parseFloat(marginLeft);
    });
    expect(left).toBeGreaterThanOrEqual(0);
  }
});

test('a button stays as high as it is, however long the consent beside it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const form = page.getByRole('form').first();
  const { height } = (await form.getByRole('button').boundingBox())!;
  await form.locator('label', { has: page.getByRole('checkbox') }).evaluate((label) => {
    label.append(' and of much else that is worth knowing about the market in which you hire'.repeat(3));
  });
  expect((await form.getByRole('button').boundingBox())!.height).toBe(height);
});

test("at no width a mistake changes a form's height, and its last row ends with its fields", async ({ page }) => {
  const form = page.getByRole('form').first();
  const join = form.getByRole('button');
  const measureHeights = async () => {
    const heights = [];
    for (const width of [1440, 600, 390, 360, 320]) {
      await page.setViewportSize({ width, height: 900 });
      const { height, right, joinRight } = await form.evaluate((element) => ({
        height: element.getBoundingClientRect().height,
        right: element.querySelector('select')!.getBoundingClientRect().right,
        joinRight: element.querySelector('button')!.getBoundingClientRect().right,
      }));
      expect(Math.abs(joinRight - right), `${width} px`).toBeLessThan(1);
      heights.push(height);
    }
    return heights;
  };
  const heights = await measureHeights();
  const expectHeights = async (message: string) => {
    await expect(form.getByText(message)).toBeVisible();
    expect(await measureHeights(), message).toEqual(heights);
  };
  await join.click();
  await expectHeights('Please enter your email address.');
  await form.getByLabel('Email').fill('anna');
  await join.click();
  await expectHeights('Please enter a valid email address.');
  await form.getByLabel('Email').fill('anna@example.test');
  await join.click();
  await expectHeights('Please consent to receiving updates to continue.');
  await form.getByRole('checkbox').check();
  await page.route('**/api/newsletter', (route) => route.abort());
  await join.click();
  await expectHeights('Something went wrong. Please try again.');
  await page.evaluate(() => sessionStorage.setItem('founder_newsletter_last_submit', String(Date.now())));
  await join.click();
  await expectHeights('Please wait a moment before submitting again.');
});

test('the heading of the questions stays in sight beside a long answer', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 600 });
  const questions = page.locator('#faq');
  await questions
    .locator('details')
    .first()
    .evaluate((item: HTMLDetailsElement) => {
      item.open = true;
      item.append('Much to say. '.repeat(400));
    });
  await questions.locator('summary').nth(1).scrollIntoViewIfNeeded();
  await expect(questions.getByRole('heading', { level: 2 })).toBeInViewport();
});

test("at 768 px the process's call is on the line of its heading, no fact of the footer breaks within itself, and the photograph has no colours", async ({
  page,
}) => {
  await expect(page.locator('#founder img')).toHaveCSS('filter', /grayscale/);
  await page.setViewportSize({ width: 768, height: 900 });
  const heading = (await page.locator('#process h2').boundingBox())!;
  const call = (await page.locator('#process').getByRole('link').boundingBox())!;
  expect(call.y).toBeLessThan(heading.y + heading.height);
  expect(call.x).toBeGreaterThan(heading.x + heading.width);
  const last = page.getByRole('contentinfo').getByText(content.agency.bottomLine);
  const lines = await last.evaluate((facts) => {
    facts.lastChild!.textContent = 'SaaS GTM Recruitment Agency UK';
    const range = document.createRange();
    range.selectNodeContents(facts.lastChild!);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
});

test("with the visitor's own colours the dots of bar, menu and questions are still seen", async ({ page }) => {
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

/** The words of an element's text that are on more than one line. */
async function findBrokenWords(element: Locator): Promise<string[]> {
  return element.evaluate(({ firstChild }) => {
    const range = document.createRange();
    return [...firstChild!.textContent!.matchAll(/\S+/g)]
      .filter(({ 0: word, index }) => {
        range.setStart(firstChild!, index);
        range.setEnd(firstChild!, index + word.length);
        return range.getClientRects().length > 1;
      })
      .map(([word]) => word);
  });
}

function readColour(page: Page, selector: string, part: string, property: 'backgroundColor' | 'backgroundImage') {
  return page
    .locator(selector)
    .first()
    .evaluate((element, [of, name]) => getComputedStyle(element, of)[name], [part, property] as const);
}
