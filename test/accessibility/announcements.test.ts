import { chooseEssential } from '../e2e/cookie-banner.ts';
import { hydrateForm, makeAddress } from '../e2e/sign-up-form.ts';
import { expect, type Page, test } from '../e2e/site.ts';

const LANDMARKS = ['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search'] as const;
test('announces every message in a live region that was there from the start, and shows it at its field', async ({
  page,
  context,
}) => {
  const said = await openForm(page);
  await findJoin(page).press('Enter');
  await expect(findEmail(page)).toBeFocused();
  await expect(findEmail(page)).toHaveAccessibleDescription('Please enter your email address.');
  await expect.poll(said).toEqual(['Email required Please enter your email address.']);

  // The message is announced each time the form is sent.
  await findEmail(page).press('Enter');
  await expect.poll(said).toHaveLength(2);

  await findEmail(page).fill(makeAddress());
  await expect(findEmail(page)).toHaveAccessibleDescription('');
  await findEmail(page).press('Enter');
  await expect(findConsent(page)).toBeFocused();
  await expect(findConsent(page)).toHaveAccessibleDescription('Please consent to receiving updates to continue.');
  await expect.poll(said).toHaveLength(3);

  await findConsent(page).check();
  await context.setOffline(true);
  await findJoin(page).click();
  await expect(findJoin(page)).toHaveAccessibleDescription('Something went wrong. Please try again.');
  await expect.poll(async () => (await said()).at(-1)).toBe('Error Something went wrong. Please try again.');

  await context.setOffline(false);
  await findJoin(page).click();
  await expect(page.getByLabel('Welcome to the List!')).toBeFocused();
  await expect.poll(async () => (await said()).at(-1)).toBe("Success! Thanks — you're in! Check your inbox.");
});

test('the home page has eight landmarks, and a link’s text says that it opens a new tab', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Allow All' })).toBeVisible();
  const counts = await Promise.all(LANDMARKS.map((role) => page.getByRole(role).count()));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(8);
  const link = page.getByRole('main').locator('a[target="_blank"]').first();
  await expect(link).toHaveAccessibleName(/\S \(opens in a new tab\)$/);
  // Screen readers treat an element outside the text flow as a separate link.
  const positions = await link.locator('*').evaluateAll((all) => all.map((each) => getComputedStyle(each).position));
  expect(positions).not.toContain('absolute');
});

const findEmail = (page: Page) => page.getByRole('textbox', { name: 'Email' }).first();
const findConsent = (page: Page) => page.getByRole('checkbox', { name: /^I consent/ }).first();
const findJoin = (page: Page) => page.getByRole('button', { name: 'Join the List' }).first();

/**
 * Opens the home page and hydrates its first form.
 * @returns a function that reads the messages announced since then
 */
async function openForm(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(chooseEssential);
  await page.goto('/');
  await hydrateForm(page);
  await page.locator('[aria-live]').evaluate((region) => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver(() => {
      const words = [...region.querySelectorAll('p')].map(({ textContent }) => textContent);
      if (words.length > 0) said.push(words.join(' '));
    }).observe(region, { childList: true });
  });
  return () => page.evaluate(() => (window as never as { said: string[] }).said);
}
