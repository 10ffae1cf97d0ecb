import { findBanner, openSettings } from './cookie-banner.ts';
import { expect, type Page } from './site.ts';
import type { TagServer } from './tag-server.ts';
import { allowAll, allowStatistics, storedIn, test } from './tag-site.ts';

// All tests share one site.
test.describe.configure({ mode: 'default' });

test.beforeEach(async ({ page, tags }) => {
  tags.forget();
  await page.goto('/');
});

test('before a choice and after a denial no page requests a tag or stores anything', async ({
  page,
  context,
  tags,
}) => {
  const openTab = async (path: string, isAsked: boolean) => {
    const tab = await context.newPage();
    await tab.goto(path, { waitUntil: 'networkidle' });
    await expect(findBanner(tab)).toBeVisible({ visible: isAsked });
    expect(await tab.locator('link[rel=preconnect], link[rel=dns-prefetch]').count()).toBe(0);
    await tab.close();
  };
  await expect(findBanner(page)).toContainText('unless you allow more');
  for (const isAsked of [true, false]) {
    if (!isAsked) await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
    await Promise.all(['/', '/privacy-policy', '/nowhere'].map((path) => openTab(path, isAsked)));
  }
  await expectNothingFrom(tags, page);
});

test('a selection loads only the tags in its categories, until the question changes and the visitor is asked again', async ({
  page,
  tags,
}) => {
  await allowStatistics(page);
  await expect.poll(() => listLoads(tags)).toHaveLength(1);
  await page.waitForLoadState('networkidle');
  expect(tags.requests()).not.toContain('GET /throws.js');
  const setScript = () => (document.createElement('script').src = 'https://elsewhere.example/script.js');
  await expect(page.evaluate(setScript), 'scripts of other hosts are blocked').rejects.toThrow('TrustedScriptURL');
  await page.evaluate(() => localStorage.setItem('cookie_consent_version', 'another'));
  tags.forget();
  await page.goto('/', { waitUntil: 'networkidle' });
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

test('Allow All loads each tag once per page, without a reload, and the page keeps working if a tag throws', async ({
  page,
  tags,
}) => {
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await allowAll(page);
  await expect.poll(tags.requests).toContain('POST /collect');
  await expect.poll(tags.requests).toContain('GET /pixel.gif');
  await expect.poll(tags.requests).toContain('GET /throws.js');
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);

  await chooseAgain(page, 'Allow All');
  await expect(findBanner(page)).toBeHidden();
  await expect(page.locator('script[src$="/tag.js"]')).toHaveCount(1);
  expect(listLoads(tags)).toHaveLength(1);

  await page.goto('/privacy-policy');
  await expect(page.locator('html[data-more]')).toBeAttached();
  expect(listLoads(tags)).toHaveLength(2);
});

test('a tag allowed in one browser tab loads in another within a second; once withdrawn, it sends and stores nothing in either', async ({
  page,
  context,
  tags,
}) => {
  const other = await context.newPage();
  await other.goto('/privacy-policy');
  await expect(findBanner(other)).toBeVisible();
  await page.bringToFront();
  await allowAll(page);
  await expect(other.locator('html[data-more]')).toBeAttached({ timeout: 1000 });
  await expect(other.locator('html[data-restless]')).toBeAttached();
  await expect(findBanner(other)).toBeHidden();
  expect(listLoads(tags)).toHaveLength(2);
  expect((await context.cookies()).length).toBeGreaterThan(4);
  await expect.poll(() => databasesAndCaches(page)).toEqual(['restless-store', 'restless-cache']);
  await expect.poll(tags.requests).toContain('GET /ping?denied=false&page=/');

  await chooseAgain(page, 'Deny Non-Essential');
  await expect(page.locator('html[data-restless]')).not.toBeAttached();
  await expect(other.locator('html[data-restless]')).not.toBeAttached({ timeout: 1500 });
  await page.waitForLoadState('networkidle');
  expect(listPingsAfterDenial(tags)).toEqual([]);
  await expect.poll(() => databasesAndCaches(page)).toEqual([]);

  tags.forget();
  for (const tab of [page, other]) {
    await expect.poll(() => storedIn(context, tab)).toEqual([]);
    await tab.reload({ waitUntil: 'networkidle' });
    expect(await storedIn(context, tab)).toEqual([]);
  }
  // A beacon that was sent earlier may arrive late.
  expect(tags.requests().filter((request) => request.endsWith('.js'))).toEqual([]);
});

test('a page that returns from the back/forward cache after a denial removes its tags at once', async ({
  page,
  tags,
}) => {
  await allowAll(page);
  await page.evaluate(() => {
    const preferences = { necessary: true, preferences: false, statistics: false, marketing: false };
    localStorage.setItem('cookie_consent', 'essential');
    localStorage.setItem('cookie_preferences', JSON.stringify(preferences));
    document.dispatchEvent(new Event('pageshow', { bubbles: true }));
  });
  await expect(page.locator('html[data-restless]')).not.toBeAttached();
  await page.waitForLoadState('networkidle');
  await expect.poll(() => storedIn(page.context(), page)).toEqual([]);
  expect(listPingsAfterDenial(tags)).toEqual([]);
});

async function chooseAgain(page: Page, button: string) {
  // A click waits for a frame, and a background tab doesn't draw any.
  await page.bringToFront();
  await openSettings(page);
  await expect(findBanner(page).getByRole('heading', { name: 'This website uses cookies' })).toBeFocused();
  await findBanner(page).getByRole('button', { name: button, exact: true }).click();
}

function listLoads(tags: TagServer): string[] {
  return tags.requests().filter((request) => request === 'GET /tag.js');
}

/** Only requests from the home page: another tab learns of a denial a moment later. */
function listPingsAfterDenial(tags: TagServer): string[] {
  return tags.requests().filter((request) => request.endsWith('/ping?denied=true&page=/'));
}

async function expectNothingFrom(tags: TagServer, page: Page) {
  expect(tags.requests()).toEqual([]);
  expect(await storedIn(page.context(), page)).toEqual([]);
}

async function databasesAndCaches(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return [...databases.map(({ name }) => name ?? ''), ...(await caches.keys())];
  });
}
