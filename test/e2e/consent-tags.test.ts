import { findBanner, openSettings } from './cookie-banner.ts';
import { expect, type Page } from './site.ts';
import type { TagServer } from './tag-server.ts';
import { extendWithTags, storedIn } from './tag-site.ts';

const test = extendWithTags((server) => [
  {
    id: 'visits',
    category: 'statistics',
    kind: 'script',
    provider: 'Visits Ltd',
    purpose: 'Counts visits',
    src: `${server}/tag.js`,
    cookies: [
      { name: 'visit_id', duration: '1 year' },
      { name: 'visit_s_*', duration: '1 year' },
    ],
    storage: [
      { name: 'visit_user', duration: 'Until removed' },
      { name: 'visit_session', duration: 'Until you close the tab' },
    ],
  },
  broken('throwing', `${server}/throws.js`),
  broken('absent', 'http://localhost:9/absent.js'),
]);

function broken(id: string, src: string) {
  return { id, category: 'preferences', kind: 'script', provider: 'Broken Ltd', purpose: 'Breaks', src };
}

test.describe.configure({ mode: 'serial' });
test.beforeEach(({ tags }) => tags.forget());

test('before a choice a tag is not asked for and keeps nothing, on any page', async ({ page, tags }) => {
  for (const path of ['/', '/privacy-policy', '/nowhere']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await expect(findBanner(page)).toBeVisible();
    expect(await page.locator('link[rel=preconnect], link[rel=dns-prefetch]').count()).toBe(0);
  }
  await expectNothingFrom(tags, page);
});

test('after a denial a tag is not asked for and keeps nothing, then and on the next page', async ({ page, tags }) => {
  await page.goto('/');
  await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
  await page.goto('/privacy-policy', { waitUntil: 'networkidle' });
  await expect(findBanner(page)).toBeHidden();
  await expectNothingFrom(tags, page);
});

test('after expiry a tag that was allowed is not asked for, and what it kept is gone', async ({ page, tags }) => {
  await allowAll(page);
  await page.evaluate(() => {
    localStorage.setItem('cookie_consent_timestamp', String(Date.now() - 360 * 24 * 60 * 60 * 1000 - 1));
  });
  tags.forget();
  await page.reload({ waitUntil: 'networkidle' });
  await expect(findBanner(page)).toBeVisible();
  await expectNothingFrom(tags, page);
});

test('after what is asked has changed, a tag that was allowed waits for a new answer, and what it kept is gone', async ({
  page,
  tags,
}) => {
  await allowAll(page);
  await page.evaluate(() => localStorage.setItem('cookie_consent_version', 'another'));
  tags.forget();
  await page.reload({ waitUntil: 'networkidle' });
  await expect(findBanner(page)).toBeVisible();
  await expectNothingFrom(tags, page);
  await expect(findBanner(page)).toContainText('off until you say yes');
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
  for (const name of ['Preferences', 'Statistics', 'Marketing']) {
    await expect(findBanner(page).getByRole('switch', { name })).not.toBeChecked();
  }
  await findBanner(page).getByRole('button', { name: 'Allow Selection' }).click();
  await page.reload({ waitUntil: 'networkidle' });
  await expectNothingFrom(tags, page);
});

test('Allow All loads a tag at once, without a reload, once on each page', async ({ page, tags }) => {
  await page.goto('/');
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
  await expect(page.locator('html[data-more]')).toBeAttached();
  await expect.poll(tags.requests).toContain('POST /collect');
  await expect.poll(tags.requests).toContain('GET /pixel.gif');
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);

  await chooseAgain(page, 'Allow All');
  await expect(findBanner(page)).toBeHidden();
  await expect(page.locator('script[src$="/tag.js"]')).toHaveCount(1);
  expect(listLoads(tags)).toHaveLength(1);

  await page.goto('/privacy-policy');
  await expect(page.locator('html[data-more]')).toBeAttached();
  expect(listLoads(tags)).toHaveLength(2);
});

test('a selection loads only the tags of what was selected', async ({ page, tags }) => {
  await page.goto('/');
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
  await findBanner(page).getByRole('switch', { name: 'Statistics' }).click();
  await findBanner(page).getByRole('button', { name: 'Allow Selection' }).click();
  await expect.poll(() => listLoads(tags)).toHaveLength(1);
  await page.reload({ waitUntil: 'networkidle' });
  expect(tags.requests()).not.toContain('GET /throws.js');
});

test('tags that throw or cannot be reached leave the page as it was', async ({ page, tags }) => {
  await allowAll(page);
  await expect.poll(tags.requests).toContain('GET /throws.js');
  await expect(findBanner(page)).toBeHidden();
  await openSettings(page);
  await expect(findBanner(page).getByRole('heading', { name: 'This website uses cookies' })).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
});

test('scripts may come from the hosts of the tags and from nowhere else', async ({ page }) => {
  await allowAll(page);
  const refused = await page.evaluate(() => {
    try {
      document.createElement('script').src = 'https://elsewhere.example/script.js';
      return false;
    } catch {
      return true;
    }
  });
  expect(refused).toBe(true);
});

test('a withdrawal removes a tag and all it kept, in this tab and another, and nothing comes back', async ({
  page,
  context,
  tags,
}) => {
  await allowAll(page);
  const other = await context.newPage();
  await other.goto('/privacy-policy');
  await expect(other.locator('html[data-more]')).toBeAttached();
  expect((await context.cookies()).length).toBeGreaterThan(4);
  await page.bringToFront();

  await chooseAgain(page, 'Deny Non-Essential');
  await expect(page.locator('html[data-more]')).not.toBeAttached();
  await expect(other.locator('html[data-more]')).not.toBeAttached({ timeout: 1500 });
  await expect.poll(() => storedIn(context, page)).toEqual([]);
  await expect.poll(() => storedIn(context, other)).toEqual([]);

  tags.forget();
  await page.reload({ waitUntil: 'networkidle' });
  await other.reload({ waitUntil: 'networkidle' });
  expect(await storedIn(context, page)).toEqual([]);
  expect(await storedIn(context, other)).toEqual([]);
  await expectNothingFrom(tags, page);
});

test('allowed in one tab, a tag loads in another within a second', async ({ page, context, tags }) => {
  const other = await context.newPage();
  await other.goto('/privacy-policy');
  await expect(findBanner(other)).toBeVisible();
  await allowAll(page);
  await expect(other.locator('html[data-more]')).toBeAttached({ timeout: 1000 });
  await expect(findBanner(other)).toBeHidden();
  expect(listLoads(tags)).toHaveLength(2);
});

test('the banner and the policy say which tags there are and what each keeps', async ({ page }) => {
  await page.goto('/privacy-policy');
  const table = page.getByRole('table');
  for (const name of ['visit_id', 'visit_s_*', 'visit_user', 'visit_session']) {
    await expect(
      table.getByRole('row', { name: new RegExp(`^${name.replace('*', '\\*')} ?Statistics, Visits Ltd`) }),
    ).toBeVisible();
  }
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
  await findBanner(page).getByRole('heading', { name: 'Statistics' }).click();
  await expect(findBanner(page).getByText('Visits Ltd')).toBeVisible();
  await expect(findBanner(page).getByText('visit_s_*')).toBeVisible();
});

async function allowAll(page: Page) {
  await page.goto('/');
  await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
  await expect(page.locator('html[data-more]')).toBeAttached();
}

async function chooseAgain(page: Page, button: string) {
  await openSettings(page);
  await findBanner(page).getByRole('button', { name: button, exact: true }).click();
}

function listLoads(tags: TagServer): string[] {
  return tags.requests().filter((request) => request === 'GET /tag.js');
}

async function expectNothingFrom(tags: TagServer, page: Page) {
  expect(tags.requests()).toEqual([]);
  expect(await storedIn(page.context(), page)).toEqual([]);
}
