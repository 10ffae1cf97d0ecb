import { findChromium } from '../../tools/setup/browsers.ts';
import { chooseEssential } from './cookie-banner.ts';
import { expect, test } from './site.ts';
import { expectDone, fillIn, findForm, FORM_SCRIPT, hold, pressJoin } from './sign-up-form.ts';
import { skipIfMissing } from './skip-if-missing.ts';

/** How long a form waits for its scripts, in milliseconds. */
const SCRIPTS_MS = 7000;

const NO_CACHE = 'back/forward cache (only a headless shell, no Chromium or Chrome)';

// All tests share one Chromium.
test.describe.configure({ mode: 'default' });

test.describe('with a back/forward cache', () => {
  const isMissing = findChromium() === undefined;
  skipIfMissing(isMissing, NO_CACHE, import.meta.filename);

  test('going back shows a page unchanged, without reloading it', async ({ cachingBrowser, site }) => {
    const page = await cachingBrowser.newPage();
    await page.goto(site.url, { waitUntil: 'networkidle' });
    await page.goto(`${site.url}/privacy-policy`);
    const events = await page.context().newCDPSession(page);
    await events.send('Page.enable');
    const how = new Promise((resolve) => {
      events.on('Page.frameNavigated', ({ type }) => resolve(type));
      events.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => resolve(notRestoredExplanations));
    });
    await page.evaluate(() => history.back());
    expect(await how).toBe('BackForwardCacheRestore');
    await page.close();
  });

  test('a form that was posted without its scripts can be sent again after Back', async ({ cachingBrowser, site }) => {
    const page = await cachingBrowser.newPage();
    await page.addInitScript(chooseEssential);
    const releaseScripts = await hold(page);
    const answer = await hold(page, /api\/newsletter/);
    await page.clock.install();
    await page.goto(site.url);
    const form = findForm(page);
    await fillIn(form, 'goes-back@example.org');
    const posted = page.waitForRequest((request) => request.method() === 'POST');
    await form.getByRole('button').click();
    await page.clock.fastForward(SCRIPTS_MS);
    await posted;
    // The scripts arrive while the response is on its way, and must leave the form alone.
    const late = page.waitForEvent('requestfinished', (request) => FORM_SCRIPT.test(request.url()));
    releaseScripts();
    await late;
    answer();
    await expectDone(page);
    await page.evaluate(() => history.back());
    await pressJoin(form);
    await expectDone(page);
    await expect(page).toHaveURL(site.url);
    await page.close();
  });
});

test('pages fade into each other, but not with reduced motion', async ({ page }) => {
  const hasTransition = async () => {
    await page.goto('/');
    await page.evaluate(() => {
      addEventListener('pageswap', (event) => {
        sessionStorage.setItem(
          'faded',
          String((event as never as { viewTransition: unknown }).viewTransition !== null),
        );
      });
    });
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
    await expect(page).toHaveURL('/privacy-policy');
    return page.evaluate(() => sessionStorage.getItem('faded'));
  };
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await hasTransition()).toBe('true');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await hasTransition()).toBe('false');
});
