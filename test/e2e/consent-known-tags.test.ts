import { findBanner, openSettings } from './cookie-banner.ts';
import { expect } from './site.ts';
import { expectDone, fillIn, findForm, pressJoin } from './sign-up-form.ts';
import { allowAll, allowStatistics, storedIn, test } from './tag-site.ts';

// All tests share one site.
test.describe.configure({ mode: 'default' });

test.beforeEach(({ page }) => page.goto('/'));

test('Google and Plausible first get the consent state, then events, and never an email address', async ({
  page,
  received,
  fullSite,
}) => {
  const console: string[] = [];
  page.on('console', (message) => console.push(message.text()));
  // Nothing is measured before consent.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Send an email' }).click();
  await allowStatistics(page);
  await expect.poll(() => received.google.length).toBe(4);
  const [first, second, ...others] = received.google;
  expect(first!.slice(0, 2)).toEqual(['consent', 'default']);
  expect(new Set(Object.values(first![2] as object))).toEqual(new Set(['denied']));
  expect(second).toEqual(['consent', 'update', expect.objectContaining({ analytics_storage: 'granted' })]);
  expect(second![2]).toMatchObject({ ad_storage: 'denied', ad_user_data: 'denied', ad_personalization: 'denied' });
  expect(others.map(([command]) => command)).toEqual(['js', 'config']);
  expect(others[1]![1]).toBe('G-TEST123');

  await page.locator('#hero').getByRole('link', { name: 'Book a Call' }).click();
  await page.locator('#contact').getByRole('link', { name: 'Book a Call' }).click();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Book a call' }).click();
  await page.locator('#hero').getByRole('link', { name: "Let's Talk" }).click();
  const form = findForm(page, 'Footer');
  await fillIn(form, 'measured@example.org');
  await pressJoin(form);
  await expectDone(page, 'Footer');
  expect(fullSite.signUps().some(({ email }) => email === 'measured@example.org')).toBe(true);
  const events = [
    ['book_call_click', { position: 'hero' }],
    ['book_call_click', { position: 'contact' }],
    ['book_call_click', { position: 'footer' }],
    ['email_click', {}],
    ['signup_success', { form: 'Footer' }],
  ];
  await expect
    .poll(() => received.google.filter(([command]) => command === 'event').map(([, ...event]) => event))
    .toEqual(events);
  await expect.poll(() => received.plausible).toEqual([['pageview', {}], ...events]);
  expect(JSON.stringify(received)).not.toContain('measured@');
  expect(console).toEqual([]);

  // The visitor allows more: no tag is loaded again.
  await openSettings(page);
  await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
  await expect
    .poll(() => received.google.at(-1))
    .toEqual(['consent', 'update', expect.objectContaining({ ad_storage: 'granted', analytics_storage: 'granted' })]);
  expect(received.requests.filter((url) => url.includes('gtag'))).toHaveLength(1);
});

test('LinkedIn, Meta, Matomo and Umami run as with their own snippets, and leave nothing behind after a withdrawal', async ({
  page,
  context,
  received,
}) => {
  test.slow();
  const refused: string[] = [];
  page.on(
    'console',
    (message) => /Content Security Policy|Trusted/.test(message.text()) && refused.push(message.text()),
  );
  await allowAll(page);
  for (const request of [
    'https://px.ads.linkedin.com/collect?pid=123456&queued=0',
    'https://px.ads.linkedin.com/wa/',
    'https://www.facebook.com/tr/?command=init&details=1234567890',
    'https://www.facebook.com/tr/?command=track&details=PageView',
    'https://connect.facebook.net/signals/config/1234567890.js',
    'https://agency.matomo.cloud/matomo.php?idsite=7&action=trackPageView',
    'https://gateway.umami.dev/api/send',
  ]) {
    await expect.poll(() => received.requests, { message: request }).toContain(request);
  }
  await page.getByRole('contentinfo').getByRole('link', { name: 'Send an email' }).click();
  await expect.poll(() => received.requests.join()).toContain('action=trackEvent,Site,email_click');
  expect(refused).toEqual([]);

  await openSettings(page);
  received.requests.length = 0;
  await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
  await expect(page.locator('html[data-restless]')).not.toBeAttached();
  await page.waitForLoadState('networkidle');
  expect(received.requests).toEqual([]);
  await expect.poll(() => storedIn(context, page)).toEqual([]);
});

test('a link to Calendly opens its popup once allowed; until then, and in a new tab, it is a plain link', async ({
  page,
  context,
}) => {
  test.slow();
  const link = page.locator('#hero').getByRole('link', { name: 'Book a Call' });
  await page.locator('a[target="_blank"]').evaluateAll((all) => {
    for (const each of all) (each as HTMLAnchorElement).href = 'https://calendly.com/agency/call';
  });
  const opened = () => Promise.all([context.waitForEvent('page'), link.click()]);
  await (await opened())[0].close();
  await allowAll(page);
  await expect.poll(() => page.evaluate(() => 'Calendly' in window)).toBe(true);
  await link.click();
  const overlay = page.locator('.calendly-overlay');
  await expect(overlay).toHaveCSS('position', 'fixed');
  await expect(overlay.frameLocator('iframe').getByRole('heading')).toHaveText('Choose a time');
  await overlay.evaluate((each) => each.remove());
  // On a busy machine Chromium sometimes opens no tab for such a click.
  await expect(async () => {
    const next = context.waitForEvent('page', { timeout: 5000 });
    const [tab] = await Promise.all([next, link.click({ modifiers: ['ControlOrMeta'] })]);
    await expect(tab.getByRole('heading')).toHaveText('Choose a time');
  }).toPass();
  await expect(overlay).toHaveCount(0);
});
