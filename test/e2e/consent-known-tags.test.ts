import type { RunningSite } from '../running-site.ts';
import { findBanner, openSettings } from './cookie-banner.ts';
import { BUILD_MS, perWorker } from './per-worker.ts';
import { expect, type Page, test as base } from './site.ts';
import { startTaggedSite } from './tagged-site.ts';
import { expectDone, fillIn, findForm, pressJoin } from './sign-up-form.ts';

/** The events that the stand-ins of Google and Plausible were sent, each as its name and details. */
type Received = { google: unknown[][]; plausible: unknown[]; requests: string[] };

const test = base.extend<{ received: Received }, { site: RunningSite }>({
  site: perWorker(
    () =>
      startTaggedSite([
        {
          id: 'google',
          category: 'statistics',
          kind: 'ga4',
          provider: 'Google Ireland Ltd',
          purpose: 'Shows which pages lead to a call',
          measurementId: 'G-TEST123',
          cookies: [
            { name: '_ga', duration: '2 years' },
            { name: '_ga_*', duration: '2 years' },
          ],
        },
        {
          id: 'plausible',
          category: 'statistics',
          kind: 'plausible',
          provider: 'Plausible Insights OÜ',
          purpose: 'Counts visits without telling visitors apart',
          src: 'https://plausible.io/js/pa-test.js',
        },
      ]),
    BUILD_MS,
  ),
  received: [
    async ({ page, context }, use) => {
      const received: Received = { google: [], plausible: [], requests: [] };
      await page.exposeFunction('googleReceives', (command: unknown[]) => received.google.push(command));
      await context.route(/^https:\/\/(www\.googletagmanager\.com|plausible\.io)\//, async (route) => {
        const request = route.request();
        received.requests.push(request.url());
        if (request.method() === 'POST') {
          received.plausible.push(request.postDataJSON());
          await route.fulfill({ status: 202, headers: { 'Access-Control-Allow-Origin': '*' } });
        } else {
          const body = request.url().includes('gtag') ? GOOGLE : PLAUSIBLE;
          await route.fulfill({ contentType: 'text/javascript', body });
        }
      });
      await context.route(/^https:\/\/calendar\./, (route) => route.fulfill({ body: 'The calendar' }));
      await use(received);
    },
    { auto: true },
  ],
});

// One site for all.
test.describe.configure({ mode: 'default' });

test('Google’s tag finds every consent signal denied, then what was allowed, before anything else', async ({
  page,
  received,
}) => {
  const console: string[] = [];
  page.on('console', (message) => console.push(message.text()));
  await page.goto('/');
  await allowStatistics(page);
  await expect.poll(() => received.google.length).toBeGreaterThan(3);

  const [first, second, ...others] = received.google;
  expect(first!.slice(0, 2)).toEqual(['consent', 'default']);
  expect(new Set(Object.values(first![2] as object))).toEqual(new Set(['denied']));
  expect(first![2]).toMatchObject({ ad_storage: 'denied', ad_user_data: 'denied', ad_personalization: 'denied' });
  expect(second).toEqual(['consent', 'update', expect.objectContaining({ analytics_storage: 'granted' })]);
  expect(second![2]).toMatchObject({ ad_storage: 'denied', ad_user_data: 'denied', ad_personalization: 'denied' });
  expect(others.map(([command]) => command)).toEqual(['js', 'config']);
  expect(others[1]![1]).toBe('G-TEST123');
  expect(console).toEqual([]);
});

test('Google’s tag hears of more being allowed, without being loaded again', async ({ page, received }) => {
  await page.goto('/');
  await allowStatistics(page);
  await expect.poll(() => received.google.length).toBe(4);
  await openSettings(page);
  await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
  await expect
    .poll(() => received.google.at(-1))
    .toEqual(['consent', 'update', expect.objectContaining({ ad_storage: 'granted', analytics_storage: 'granted' })]);
  expect(received.requests.filter((url) => url.includes('gtag'))).toHaveLength(1);
});

test('without consent neither Google nor Plausible is asked for anything', async ({ page, received }) => {
  await page.goto('/');
  await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
  await page.reload({ waitUntil: 'networkidle' });
  await page.getByRole('contentinfo').getByRole('link', { name: 'Send an email' }).click();
  expect(received.requests).toEqual([]);
  expect(await page.evaluate(() => 'dataLayer' in window || 'plausible' in window || 'gtag' in window)).toBe(false);
});

test('a withdrawal removes Google’s tag and its cookies', async ({ page, context, received }) => {
  await page.goto('/');
  await allowStatistics(page);
  await expect.poll(() => received.google.length).toBe(4);
  expect((await context.cookies()).map(({ name }) => name).toSorted()).toEqual(['_ga', '_ga_TEST123']);
  await openSettings(page);
  await findBanner(page).getByRole('button', { name: 'Deny Non-Essential', exact: true }).click();
  await expect.poll(() => page.evaluate(() => 'dataLayer' in window)).toBe(false);
  expect(await context.cookies()).toEqual([]);
});

test('calls booked, emails begun and sign-ups are measured, without anyone’s address', async ({
  page,
  received,
  site,
}) => {
  await page.goto('/');
  await allowStatistics(page);
  await expect.poll(() => received.google.length).toBe(4);
  await page.locator('#hero').getByRole('link', { name: 'Book a Call' }).click();
  await page.locator('#contact').getByRole('link', { name: 'Book a Call' }).click();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Book a call' }).click();
  await page.locator('#hero').getByRole('link', { name: "Let's Talk" }).click();

  const form = findForm(page, 'Footer');
  await fillIn(form, 'measured@example.org');
  await pressJoin(form);
  await expectDone(page, 'Footer');
  expect(site.signUps().some(({ email }) => email === 'measured@example.org')).toBe(true);

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
});

test('what happened before consent is never sent', async ({ page, received }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Send an email' }).click();
  await allowStatistics(page);
  await expect.poll(() => received.plausible).toEqual([['pageview', {}]]);
  expect(received.google.filter(([command]) => command === 'event')).toEqual([]);
});

/**
 * Reads commands in order, as Google's does, and knows only `arguments` objects; makes the policy that Google's makes.
 */
const GOOGLE = `
  trustedTypes.createPolicy('goog#html', { createHTML: (text) => text });
  document.cookie = '_ga=1; max-age=9999; path=/; domain=agency.localhost';
  document.cookie = '_ga_TEST123=1; max-age=9999; path=/; domain=agency.localhost';
  const receive = (command) => {
    if (Object.prototype.toString.call(command) === '[object Arguments]') googleReceives([...command]);
  };
  dataLayer.forEach(receive);
  dataLayer.push = (command) => receive(command);
`;

/** Takes over the queue and the options of the snippet, as Plausible's does. */
const PLAUSIBLE = `(() => {
  const queued = window.plausible.q ?? [];
  if (window.plausible.o === undefined) return;
  window.plausible = (name, { props = {} } = {}) =>
    fetch('https://plausible.io/api/event', { method: 'POST', body: JSON.stringify([name, props]) });
  window.plausible('pageview');
  for (const event of queued) window.plausible(...event);
})()`;

async function allowStatistics(page: Page) {
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
  await findBanner(page).getByRole('switch', { name: 'Statistics' }).click();
  await findBanner(page).getByRole('button', { name: 'Allow Selection' }).click();
  await expect(findBanner(page)).toBeHidden();
}
