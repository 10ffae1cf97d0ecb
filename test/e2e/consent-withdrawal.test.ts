import { findBanner, openSettings } from './cookie-banner.ts';
import { expect, type Page } from './site.ts';
import { extendWithTags, storedIn } from './tag-site.ts';

/** A tag that never rests: what it does between a no and the end of its page is what matters here. */
const test = extendWithTags((server) => [
  {
    id: 'restless',
    category: 'marketing',
    kind: 'script',
    provider: 'Restless Ltd',
    purpose: 'Never rests',
    src: `${server}/restless.js`,
    cookies: [{ name: 'restless', duration: '1 year' }],
    storage: [{ name: 'restless*', duration: 'Until removed' }],
  },
]);

const NECESSARY_ONLY = JSON.stringify({ necessary: true, preferences: false, statistics: false, marketing: false });

test.describe.configure({ mode: 'serial' });
test.beforeEach(({ tags }) => tags.forget());

test('from the click on, a withdrawn tag sends nothing and keeps nothing', async ({ page, context, tags }) => {
  await allowAll(page);
  await expect(page.locator('html[data-restless]')).toBeAttached();
  await expect.poll(() => databasesAndCaches(page)).toEqual(['restless-store', 'restless-cache']);
  await expect.poll(tags.requests).toContainEqual(expect.stringContaining('/ping?denied=false'));
  await openSettings(page);
  await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
  await expect(page.locator('html[data-restless]')).not.toBeAttached();
  await page.waitForLoadState('networkidle');
  expect(tags.requests().filter((request) => request.includes('denied=true'))).toEqual([]);
  expect(await storedIn(context, page)).toEqual([]);
  await expect.poll(() => databasesAndCaches(page)).toEqual([]);
});

for (const { what, event, change } of [
  {
    what: 'a tab that outlives its choice',
    event: 'visibilitychange',
    change: { cookie_consent_timestamp: String(Date.now() - 361 * 24 * 60 * 60 * 1000) },
  },
  {
    what: 'a page that comes back from the browser’s memory after a no',
    event: 'pageshow',
    change: { cookie_consent: 'essential', cookie_preferences: NECESSARY_ONLY },
  },
]) {
  test(`${what} removes its tags at once`, async ({ page, tags }) => {
    await allowAll(page);
    await page.evaluate(
      ([name, items]) => {
        for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
        document.dispatchEvent(new Event(name, { bubbles: true }));
      },
      [event, change] as const,
    );
    await expect(page.locator('html[data-restless]')).not.toBeAttached();
    await page.waitForLoadState('networkidle');
    await expect.poll(() => storedIn(page.context(), page)).toEqual([]);
    expect(tags.requests().filter((request) => request.includes('denied=true'))).toEqual([]);
  });
}

test('a withdrawal leaves the visitor where they were, with what they had typed, and says the outcome', async ({
  page,
}) => {
  await allowAll(page);
  const form = page.getByRole('form').first();
  await form.getByRole('textbox', { name: 'Email' }).fill('typed@example.org');
  await form.getByRole('checkbox').check();
  await openSettings(page);
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(500);
  await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).press('Enter');
  await expect(page.locator('html[data-restless]')).not.toBeAttached();

  await expect(page.locator('[aria-live]')).toHaveText('Only necessary cookies are on.');
  await expect(page.getByRole('link', { name: 'Cookie Settings' })).toBeFocused();
  await expect(form.getByRole('textbox', { name: 'Email' })).toHaveValue('typed@example.org');
  await expect(form.getByRole('checkbox')).toBeChecked();
  expect(Math.abs((await page.evaluate(() => scrollY)) - before)).toBeLessThan(50);
  await page.reload();
  await expect(form.getByRole('textbox', { name: 'Email' })).toHaveValue('');
});

async function allowAll(page: Page) {
  await page.goto('/');
  await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
  await expect(page.locator('html[data-restless]')).toBeAttached();
}

async function databasesAndCaches(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return [...databases.map(({ name }) => name ?? ''), ...(await caches.keys())];
  });
}
