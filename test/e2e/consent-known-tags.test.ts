import { findBanner, openSettings } from './cookie-banner.ts';
import { expect, type Page } from './site.ts';
import { extendWithTags, storedIn } from './tag-site.ts';
import { expectDone, fillIn, findForm, pressJoin } from './sign-up-form.ts';

/** The events that the stand-ins of Google and Plausible were sent, each as its name and details. */
type Received = { google: unknown[][]; plausible: unknown[]; requests: string[] };

const test = extendWithTags((server) => [
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
  // The tests look at it between a refusal and the end of its page.
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
]).extend<{ received: Received }>({
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

const NECESSARY_ONLY = JSON.stringify({ necessary: true, preferences: false, statistics: false, marketing: false });

// One site for all.
test.describe.configure({ mode: 'default' });
test.beforeEach(({ tags }) => tags.forget());

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
