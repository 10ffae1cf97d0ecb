import type { Locator } from '@playwright/test';
import { chooseEssential } from './cookie-banner.ts';
import { findForm, findToast, pressJoin } from './sign-up-form.ts';
import { expect, type Page, test } from './site.ts';
import { content } from '../test-content.ts';

test.beforeEach(async ({ page }) => {
  await page.addInitScript(chooseEssential);
  await page.goto('/');
});

test("with text twice the size no word breaks, the headline doesn't touch the dots, and the questions’ dots are on the screen", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const words = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
  const first = (await page.locator('main > section > [aria-hidden] > i').first().boundingBox())!;
  expect(words.x + words.width).toBeLessThan(first.x);
  const title = page.locator('#focus h3').first();
  await title.evaluate((element) => (element.textContent = 'Cybersecurity SaaS'));
  const question = page.locator('#faq details').first();
  await question.locator('summary').click();
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await findBrokenWords(title), `${width} px`).toEqual([]);
    expect(await findBrokenWords(page.getByRole('contentinfo').getByText(content.agency.name).first())).toEqual([]);
    const left = await question.evaluate((element) => {
      const { left: offset, marginLeft } = getComputedStyle(element, '::after');
      return element.getBoundingClientRect().left + parseFloat(offset) + parseFloat(marginLeft);
    });
    expect(left).toBeGreaterThanOrEqual(0);
  }
});

test('at 1440 px the second columns are aligned, the figures fit their line, and no line of the footer breaks', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const starts = await page.evaluate(() =>
    [
      '#founder div:has(> dl)',
      '#faq h2 + div',
      'form[aria-labelledby="founder-sign-up-heading"]',
      'form[aria-labelledby="footer-sign-up-heading"]',
      'footer ul',
    ].map((selector) => Math.round(document.querySelector(selector)!.getBoundingClientRect().left)),
  );
  expect(new Set(starts)).toEqual(new Set([640]));
  const overrun = await page.locator('#founder dl').evaluate((list) => {
    const { right } = list.getBoundingClientRect();
    return Math.max(...[...list.querySelectorAll('dd')].map((figure) => figure.getBoundingClientRect().right)) - right;
  });
  expect(overrun).toBeLessThanOrEqual(0);
  const facts = page.getByRole('contentinfo').locator('div:has(> ul + p)');
  const [site, year] = [facts.getByRole('link').last(), facts.getByText(content.agency.bottomLine)];
  const { bottom } = await year.evaluate((element) => element.getBoundingClientRect());
  expect(Math.abs((await site.evaluate((element) => element.getBoundingClientRect().bottom)) - bottom)).toBeLessThan(4);
});

test('the eyebrow is apart from the headline, the pitch is close, and an open question’s ring fits a phone', async ({
  page,
}) => {
  for (const [width, height, least] of [
    [1440, 900, 26],
    [390, 844, 18],
  ] as const) {
    await page.setViewportSize({ width, height });
    const [eyebrow, headline, pitch] = await page.evaluate(() =>
      [...document.querySelector('h1')!.parentElement!.children].map((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return { top, bottom };
      }),
    );
    // The leading of the lines is part of the visible space.
    expect(headline!.top - eyebrow!.bottom, `${width} px`).toBeGreaterThan(least / 2);
    expect(pitch!.top - headline!.bottom, `${width} px`).toBeLessThan(40);
  }
  const question = page.locator('#faq details').first();
  await question.locator('summary').click();
  const { left, right, words } = await question.evaluate((element) => {
    const style = getComputedStyle(element, '::after');
    const start = element.getBoundingClientRect().left + parseFloat(style.left) + parseFloat(style.marginLeft);
    return {
      left: start,
      right: start + parseFloat(style.width),
      words: element.querySelector('h3')!.getBoundingClientRect().left,
    };
  });
  expect(left).toBeGreaterThanOrEqual(2);
  expect(words - right).toBeGreaterThanOrEqual(4);
});

test("at 1024 px no title of the four values breaks, a mistake's message has its colour, and the questions' heading stays", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 600 });
  const title = page.getByRole('heading', { level: 3 }).first();
  await title.evaluate((element) => (element.textContent = 'Precision-Matched Finalists'));
  expect(await countLines(title)).toBe(1);
  await pressJoin(findForm(page));
  const colour = await findToast(page).evaluate((toast) => getComputedStyle(toast).borderTopColor);
  const [red = 0, green = 1] = colour.match(/[\d.]+/g)!.map(Number);
  expect(red).toBeGreaterThan(1.4 * green);
  // Even next to a long answer.
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

test('a screen reader reads the shortlist as two sentences, the drawing doesn’t move with reduced motion, and it prints', async ({
  page,
}) => {
  const { shortlist } = content.home.process;
  const process = page.locator('#process');
  await expect(process.getByText(shortlist!.promise)).toBeVisible();
  await expect(process.getByText(shortlist!.sheet.title)).toBeVisible();
  const snapshot = await process.ariaSnapshot();
  expect(snapshot).toContain(shortlist!.text);
  expect(snapshot).not.toContain(shortlist!.sheet.columns[0]);
  const sheet = process.locator('div[aria-hidden]').last();
  const readMotion = () =>
    sheet.evaluate(
      (element) =>
        element.getAnimations({ subtree: true }).filter(({ timeline }) => timeline !== document.timeline).length,
    );
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await readMotion()).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await readMotion()).toBe(4);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await readMotion()).toBe(0);
  await page.emulateMedia({ media: 'print' });
  await expect(sheet).toHaveCSS('print-color-adjust', 'exact');
  await expect(sheet).toBeVisible();
  await expect(sheet.locator('i').last()).toHaveCSS('background-image', /gradient/);
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
  const last = page.getByRole('contentinfo').getByRole('paragraph').last();
  await last.evaluate((facts) => (facts.lastChild!.textContent = 'SaaS GTM Recruitment Agency UK'));
  expect(await countLines(last)).toBe(1);
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

/** The words in an element that are split over two lines. */
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

/** How many lines the last text of an element has. */
function countLines(element: Locator): Promise<number> {
  return element.evaluate(({ lastChild }) => {
    const range = document.createRange();
    range.selectNodeContents(lastChild!);
    return range.getClientRects().length;
  });
}

function readColour(page: Page, selector: string, part: string, property: 'backgroundColor' | 'backgroundImage') {
  return page
    .locator(selector)
    .first()
    .evaluate((element, [of, name]) => getComputedStyle(element, of)[name], [part, property] as const);
}
