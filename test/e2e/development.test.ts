import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Development, writeHeadline } from './development-server.ts';
import { expectHydrated, hydrateForm } from './sign-up-form.ts';
import { collectErrors, expect, type Page, test as base } from './site.ts';

const test = base.extend({
  baseURL: async ({ development }, use) => use(development.url),
});

// All tests change files of the same server: each begins where the previous one ended.
test.describe.configure({ mode: 'serial' });

test('the page shows a mistake in content/, at the start and later, until it is fixed', async ({
  page,
  development,
}) => {
  // On the first visit Vite prepares the packages that the browser needs.
  test.slow();
  await openConnected(page);
  await expectMistake(page);
  await fixMistake(page, development);
  // A page that is still loading would miss the edit.
  await openConnected(page);
  await writeHeadline(development.folder, '');
  await expectMistake(page);
  await fixMistake(page, development);
});

test('in development, the page keeps the CSP, has its styles, and hydrates without warnings', async ({ page }) => {
  test.slow();
  const errors = collectErrors(page);
  const response = await page.goto('/');
  expect(response!.headers()['content-security-policy']).toContain("script-src 'self'");
  expect(response!.headers()['content-security-policy']).not.toContain('unsafe');
  await hydrateForms(page);
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)');
  expect(await page.evaluate(() => document.fonts.size)).toBeGreaterThan(0);
  expect(errors).toEqual([]);
});

test('in development, editing an island keeps what was typed into it, and editing a component updates the page', async ({
  page,
  development,
}) => {
  test.slow();
  await openConnected(page);
  const edit = async (path: string, from: string, to: string) => {
    const file = join(development.folder, path);
    await writeFile(file, (await readFile(file, 'utf8')).replace(from, to));
  };
  const form = await hydrateForm(page);
  await form.getByLabel('Email').fill('typed@example.org');
  await edit('src/client/newsletter-form/newsletter-form.tsx', 'label="Email *"', 'label="Email, edited *"');
  await expect(form.getByLabel('Email, edited')).toHaveValue('typed@example.org', { timeout: 30_000 });
  await edit('src/pages/home/hero.tsx', '{hero.headline}', 'Edited');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edited', { timeout: 30_000 });
});

test('in development, /desk says where the desk is', async ({ request }) => {
  const response = await request.get('/desk');
  expect([response.status(), await response.text()]).toEqual([404, expect.stringContaining('npm start')]);
});

test('Vite exits with the npm run dev process', async ({ development }) => {
  await development.stop();
  expect(await development.isListening()).toBe(false);
});

async function expectMistake(page: Page): Promise<void> {
  await expect(page.locator('vite-error-overlay')).toContainText(/home\.yaml:\d+:\d+/, { timeout: 30_000 });
}

async function fixMistake(page: Page, { folder }: Development): Promise<void> {
  await writeHeadline(folder, 'Mended');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mended', { timeout: 30_000 });
  await expect(page.locator('vite-error-overlay')).toHaveCount(0, { timeout: 30_000 });
}

/** Opens the page and waits until it listens for changes. */
async function openConnected(page: Page): Promise<void> {
  const connected = page.waitForEvent('console', (message) => message.text().includes('[vite] connected'));
  await page.goto('/');
  await connected;
}

async function hydrateForms(page: Page): Promise<void> {
  const islands = page.locator('[data-island]', { has: page.getByRole('form') });
  await expect(islands).toHaveCount(2);
  for (const island of await islands.all()) {
    await island.getByLabel('Email').focus();
    await expectHydrated(page, island.getByRole('form'));
  }
}
