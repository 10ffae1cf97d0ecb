import { chooseEssential, findBanner } from './cookie-banner.ts';
import { expect, type Page, test } from './site.ts';
import { expectDone, fillIn, findForm, hold } from './sign-up-form.ts';

test('an unknown path gets the 404 page and an error in the console', async ({ page }) => {
  const path = '/deeper/than/any/page';
  const logged = page.waitForEvent('console', (message) => message.text().includes(path));
  const response = await page.goto(path);
  expect(response?.status()).toBe(404);
  expect((await logged).type()).toBe('error');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found');
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
  await page.getByRole('main').getByRole('link').click();
  await expect(page).toHaveURL('/');
});

for (const [what, press] of [
  ['fails as it is hydrated', false],
  ['is sent before it is hydrated, and then fails', true],
] as const) {
  test(`a form that ${what} falls back to plain HTML, keeps what was typed, and posts`, async ({ page, site }) => {
    const email = `plain-${press ? 'pressed' : 'typed'}@example.org`;
    await page.addInitScript(chooseEssential);
    await breakEarlyForm(page);
    const release = await hold(page);
    const failed = page.waitForEvent('console', (message) => message.text().includes('falling back to plain HTML'));
    await page.goto('/');
    const form = findForm(page);
    const join = form.getByRole('button', { name: 'Join the List' });
    await fillIn(form, email);
    await form.getByLabel('Email').focus();
    if (press) await join.click();
    release();
    await failed;
    if (!press) {
      await expect(form.getByLabel('Email')).toBeFocused();
      await join.click();
    }
    await expectDone(page);
    expect(site.signUps().filter((each) => each.email === email)).toHaveLength(1);
  });
}

/** Gives the first form props that make it throw. */
async function breakEarlyForm(page: Page): Promise<void> {
  await page.route('/', async (route) => {
    const response = await route.fetch();
    const broken = (await response.text()).replace(/data-props="[^"]*Founder[^"]*"/, 'data-props="{}"');
    await route.fulfill({ response, body: broken });
  });
}

test('in print there is no cookie banner, the questions follow their heading, and links show their full URL', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  await expect(findBanner(page)).toBeVisible();
  const questions = page.locator('#faq');
  await questions.locator('details').last().scrollIntoViewIfNeeded();
  await page.emulateMedia({ media: 'print' });
  const overlap = await questions.evaluate((section) => {
    const [heading, first] = ['h2', 'details'].map((name) => section.querySelector(name)!.getBoundingClientRect());
    return heading!.bottom - first!.top;
  });
  expect(overlap).toBeLessThanOrEqual(0.5);
  await expect(findBanner(page)).toBeHidden();
  const printed = await page
    .locator('main a[href^="http"], footer a[href^="http"]')
    .evaluateAll((links) =>
      links
        .filter((link) => link.checkVisibility())
        .map((link) => [getComputedStyle(link, '::after').content, ` (${link.getAttribute('href')})`]),
    );
  expect(printed.length).toBeGreaterThan(0);
  for (const [text, address] of printed) expect(text).toBe(`"${address}"`);

  await page.setViewportSize({ width: 800, height: 1000 });
  const heights = await page.locator('footer a[href]').evaluateAll((links: HTMLAnchorElement[]) => {
    for (const link of links) link.href = 'https://www.an-agency-with-a-long-name.example/';
    return links.map((link) => link.getBoundingClientRect().height);
  });
  expect(Math.max(...heights)).toBeGreaterThan(0);
  expect(Math.max(...heights)).toBeLessThan(100);
});

test('in print a short page has no empty page after it', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 1000 });
  await page.goto('/nowhere');
  await page.emulateMedia({ media: 'print' });
  const { y, height } = (await page.getByRole('contentinfo').boundingBox())!;
  expect(y + height).toBeLessThan(700);
});
