import { content } from '../test-content.ts';
import { chooseEssential, findBanner, openDetails, openSettings } from './cookie-banner.ts';
import { collectErrors, expect, type Page, test } from './site.ts';
import { expectDone, fillIn, findForm, pressJoin } from './sign-up-form.ts';

const DAY = 24 * 60 * 60 * 1000;
const OPTIONAL = ['Preferences', 'Statistics', 'Marketing'];

test('on a first visit the banner comes first in the page, takes no focus, and does not move with reduced motion', async ({
  page,
}) => {
  await page.goto('/');
  await expect(findBanner(page)).toBeVisible();
  await expect(findBanner(page)).toHaveCSS('animation-duration', '0s');
  await expect(findBanner(page).getByRole('link', { name: 'Read our Privacy Policy' })).toHaveAttribute(
    'href',
    '/privacy-policy',
  );
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: /^Skip/ })).toBeFocused();
  await page.keyboard.press('Tab');
  expect(await findBanner(page).evaluate((region) => region.contains(document.activeElement))).toBe(true);
});

test('a selection can be made with the keyboard alone, and is shown again in Cookie Settings', async ({ page }) => {
  await page.goto('/');
  await expect(findBanner(page).getByRole('button', { name: 'Allow Selection' })).toBeHidden();
  await findBanner(page).getByRole('button', { name: 'Show details' }).press('Enter');
  await expect(findBanner(page).getByRole('button', { name: 'Hide details' })).toHaveAttribute('aria-expanded', 'true');
  const necessary = findBanner(page).getByRole('switch', { name: 'Necessary' });
  await expect(necessary).toBeChecked();
  await expect(necessary).toBeDisabled();
  for (const name of OPTIONAL) await expect(findBanner(page).getByRole('switch', { name })).not.toBeChecked();
  await findBanner(page).getByRole('switch', { name: 'Statistics' }).press('Space');
  await findBanner(page).getByRole('button', { name: 'Allow Selection' }).press('Enter');
  await expect(findBanner(page)).toBeHidden();
  expect(await storedConsent(page)).toMatchObject({
    choice: 'custom',
    preferences: { necessary: true, preferences: false, statistics: true, marketing: false },
  });

  await page.reload();
  await openDetails(page);
  await expect(findBanner(page).getByRole('switch', { name: 'Statistics' })).toBeChecked();
  await expect(findBanner(page).getByRole('switch', { name: 'Marketing' })).not.toBeChecked();
});

test('Cookie Settings opens the policy in a new tab when the visitor asks for one', async ({ page }) => {
  await page.addInitScript(chooseEssential);
  await page.goto('/');
  const tab = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Cookie Settings' }).click({ modifiers: ['ControlOrMeta'] });
  await expect(await tab).toHaveURL(/\/privacy-policy/);
  await expect(findBanner(page)).toBeHidden();
});

test('the details explain one category at a time, and are closed when the banner reopens', async ({ page }) => {
  await page.goto('/');
  await expect(findBanner(page)).toContainText('Nothing optional is used');
  await expect(findBanner(page)).not.toContainText(/the rest/i);
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
  await expect(findBanner(page).getByText(/nothing optional at the moment/)).toBeVisible();
  const { necessary: _, ...optional } = content.consent.banner.categories;
  for (const { name, explanation } of Object.values(optional)) {
    await expect(findBanner(page).getByRole('switch', { name })).toHaveAccessibleDescription(explanation);
  }
  const necessary = findBanner(page).getByRole('heading', { name: 'Necessary', exact: true });
  const marketing = findBanner(page).getByRole('heading', { name: 'Marketing', exact: true });
  const ofNecessary = findBanner(page).getByText(/Keeps the site/);
  const ofMarketing = findBanner(page).getByText(/across sites/);
  await necessary.click();
  await expect(ofNecessary).toBeVisible();
  await marketing.click();
  await expect(ofNecessary).toBeHidden();
  await expect(ofMarketing).toBeVisible();
  await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
  await openSettings(page);
  await expect(marketing).toBeHidden();
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
  await expect(marketing).toBeVisible();
  await expect(ofMarketing).toBeHidden();
});

test('with Global Privacy Control, the banner says so, and nothing is selected', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
  await page.goto('/');
  await expect(findBanner(page).getByText(/Global Privacy Control/)).toBeVisible();
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
  for (const name of OPTIONAL) await expect(findBanner(page).getByRole('switch', { name })).not.toBeChecked();
});

test('stores and announces each answer, and doesn’t ask again, with the loader as the only script', async ({
  page,
}) => {
  await page.route(/\.js$/, (route) => (route.request().url().includes('/loader-') ? route.continue() : route.abort()));
  const errors = collectErrors(page);
  await page.goto('/');
  for (const [button, choice] of [
    ['Allow All', 'all'],
    ['Deny Non-Essential', 'essential'],
    ['Close and deny non-essential', 'essential'],
  ] as const) {
    const before = Date.now();
    await findBanner(page).getByRole('button', { name: button, exact: true }).click();
    await expect(findBanner(page)).toBeHidden();
    await expect(page.locator('[aria-live]')).toHaveText(/^Your choice is saved/);
    const stored = await storedConsent(page);
    const all = choice === 'all';
    expect(stored, button).toMatchObject({
      choice,
      preferences: { necessary: true, preferences: all, statistics: all, marketing: all },
    });
    expect(stored.timestamp).toBeGreaterThanOrEqual(before);
    expect(stored.timestamp).toBeLessThanOrEqual(Date.now());
    await page.goto('/privacy-policy', { waitUntil: 'networkidle' });
    await expect(findBanner(page)).toBeHidden();
    await openSettings(page);
  }
  expect(errors).toEqual([]);
});

test('the confirmation of a choice is shown for five seconds, even after a second choice', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  await expect(findBanner(page)).toBeVisible();
  // The test controls the clock, so the machine's speed doesn't matter.
  await page.clock.pauseAt(Date.now() + 60_000);
  const confirmation = page.locator('[aria-live] > p');
  await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
  await page.clock.runFor(200);
  await expect(confirmation).toBeInViewport();
  await expect(confirmation).toHaveText('Your choice is saved. Nothing optional is used.');
  await page.clock.runFor(3800);
  await page.getByRole('link', { name: 'Cookie Settings' }).click();
  await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
  await expect(confirmation).toHaveCount(1);
  await page.clock.runFor(4800);
  await expect(confirmation).toBeInViewport();
  await page.clock.runFor(400);
  await expect(confirmation).toHaveCount(0);
});

test('a tab that stays open until the choice expires asks again when it is shown, without taking the focus', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/');
  // The link that opened the banner before must not get the focus this time.
  await openSettings(page);
  await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
  await expect(findBanner(page)).toBeHidden();
  const email = page.getByRole('textbox', { name: 'Email' }).first();
  await email.focus();
  await page.clock.setSystemTime(Date.now() + 361 * DAY);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(findBanner(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await expect(email).toBeFocused();
});

test('the policy lists everything that the site itself stores', async ({ page }) => {
  await page.goto('/');
  await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
  const form = findForm(page, 'Footer');
  await fillIn(form, 'listed@example.org');
  await pressJoin(form);
  await expectDone(page, 'Footer');
  const kept = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);

  await page.goto('/privacy-policy#cookies');
  const listed = await page.getByRole('table').getByRole('rowheader').allInnerTexts();
  expect(listed.map((text) => text.split('\n')[0]).toSorted()).toEqual(kept.toSorted());
});

async function storedConsent(page: Page) {
  return page.evaluate(() => ({
    choice: localStorage.getItem('cookie_consent'),
    timestamp: Number(localStorage.getItem('cookie_consent_timestamp')),
    preferences: JSON.parse(localStorage.getItem('cookie_preferences') ?? 'null'),
  }));
}
