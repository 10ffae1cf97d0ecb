import { chooseEssential } from '../e2e/cookie-banner.ts';
import { hydrateForm, makeAddress } from '../e2e/sign-up-form.ts';
import { expect, type Page, test } from '../e2e/site.ts';

const LANDMARKS = ['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search'] as const;
const PRESSES = {
  'a press of Join': (page: Page) => findJoin(page).click(),
  'Enter in the address': (page: Page) => findEmail(page).press('Enter'),
};

for (const [how, send] of Object.entries(PRESSES)) {
  test(`after ${how} every message is said once: by its field where the focus goes there, or as it appears`, async ({
    page,
    context,
  }) => {
    const said = await openForm(page);
    await findJoin(page).focus();
    await findJoin(page).press('Enter');
    // The focus moved to the field, whose description says what is wrong.
    await expect(findEmail(page)).toBeFocused();
    await expect(findEmail(page)).toHaveAccessibleDescription('Please enter your email address.');
    await findEmail(page).fill('nobody@nowhere');
    await send(page);
    await expect(page.getByRole('form').getByText('Please enter a valid email address.')).toBeVisible();
    await expect(findEmail(page)).toBeFocused();
    const stays = how.startsWith('Enter');
    const invalid = stays ? ['Invalid email Please enter a valid email address.'] : [];
    await expect.poll(said).toEqual(invalid);
    // A description that comes to a field with the focus is read by some screen readers, and by others not.
    if (stays) await expect(findEmail(page)).toHaveAccessibleDescription('');
    await page.getByLabel('Role').first().focus();
    await expect(findEmail(page)).toHaveAccessibleDescription('Please enter a valid email address.');

    await findEmail(page).fill(makeAddress());
    await expect(findEmail(page)).toHaveAccessibleDescription('');
    await send(page);
    await expect(findConsent(page)).toBeFocused();
    await expect(findConsent(page)).toHaveAccessibleDescription('Please consent to receiving updates to continue.');
    await findConsent(page).check();
    await context.setOffline(true);
    await findEmail(page).focus();
    await send(page);
    const failed = 'Error Something went wrong. Please try again.';
    await expect.poll(said).toEqual([...invalid, failed]);

    await context.setOffline(false);
    await findEmail(page).focus();
    await send(page);
    await expect(page.getByLabel('Welcome to the List!')).toBeFocused();
    await expect.poll(said).toEqual([...invalid, failed, "Success! Thanks — you're in! Check your inbox."]);
  });
}

test('what is wrong is said as often as the form is sent', async ({ page }) => {
  const said = await openForm(page);
  const message = 'Email required Please enter your email address.';
  await findEmail(page).press('Enter');
  await expect.poll(said).toEqual([message]);
  await findEmail(page).press('Enter');
  await expect.poll(said).toEqual([message, message]);
});

test('eight landmarks lead through the home page, and no two have the same name', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Allow All' })).toBeVisible();
  const counts = await Promise.all(LANDMARKS.map((role) => page.getByRole(role).count()));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(8);
});

test('that a link opens a new tab is part of its words', async ({ page }) => {
  await page.goto('/');
  const link = page.getByRole('main').locator('a[target="_blank"]').first();
  await expect(link).toHaveAccessibleName(/\S \(opens in a new tab\)$/);
  // An element taken out of the line is read as another link.
  const positions = await link.locator('*').evaluateAll((all) => all.map((each) => getComputedStyle(each).position));
  expect(positions).not.toContain('absolute');
});

const findEmail = (page: Page) => page.getByRole('textbox', { name: 'Email' }).first();
const findConsent = (page: Page) => page.getByRole('checkbox', { name: /^I consent/ }).first();
const findJoin = (page: Page) => page.getByRole('button', { name: 'Join the List' }).first();

/**
 * The home page, its first form touched.
 * @returns what was said since: the texts that a live region was given, paragraph by paragraph, as a screen reader
 *   hears it
 */
async function openForm(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(chooseEssential);
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        if (!element?.closest('[aria-live], [role="status"], [role="alert"], output')) continue;
        for (const { textContent } of addedNodes) if (textContent) said.push(textContent);
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  await page.goto('/');
  await hydrateForm(page);
  return () => page.evaluate(() => (window as never as { said: string[] }).said);
}
