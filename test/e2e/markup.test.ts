import { markupFindings } from '../markup.ts';
import { expect, type Page, PAGES, test } from './site.ts';
import { expectHydrated, findForm, findToast, pressJoin } from './sign-up-form.ts';

for (const path of PAGES) {
  test(`the markup of ${path} has no mistake once every part is hydrated`, async ({ page }) => {
    await page.goto(path);
    await hydrateEverything(page);
    expect(await markupFindings(await page.content(), 'hydrated')).toEqual([]);
  });
}

test("the markup has no mistake with a message, an error at a field and the banner's details", async ({ page }) => {
  await page.goto('/');
  await hydrateEverything(page);
  await page.getByRole('button', { name: 'Show details' }).click();
  const form = findForm(page, 'Footer');
  await pressJoin(form);
  await expect(findToast(page)).toBeVisible();
  expect(await markupFindings(await page.content(), 'hydrated')).toEqual([]);
});

async function hydrateEverything(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Allow All' })).toBeVisible();
  for (const island of await page.locator('[data-island]').all()) {
    await island.scrollIntoViewIfNeeded();
    await island.dispatchEvent('pointerdown');
    await expectHydrated(page, island.getByRole('form'));
  }
}
