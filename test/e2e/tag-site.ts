import type { BrowserContext } from '@playwright/test';
import { findBanner } from './cookie-banner.ts';
import { expect, type Page, test as base } from './site.ts';

/** The events that the stand-ins for Google and Plausible received, each with its name and details. */
type Received = { google: unknown[][]; plausible: unknown[]; requests: string[] };

/** For tests on a site with tags of every kind, whose scripts come from a test server. */
export const test = base.extend<{ received: Received }>({
  baseURL: async ({ fullSite }, use) => use(fullSite.url),
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
      // Requests made by the stand-ins. None of them reaches the page itself.
      await context.route(PROVIDERS, async (route) => {
        const { pathname, host } = new URL(route.request().url());
        received.requests.push(route.request().url());
        const body = STAND_INS[host + pathname] ?? '';
        const contentType = pathname.endsWith('.css')
          ? 'text/css'
          : pathname.endsWith('.js')
            ? 'text/javascript'
            : 'text/html';
        await route.fulfill({ contentType, body, headers: { 'Access-Control-Allow-Origin': '*' } });
      });
      await use(received);
    },
    { auto: true },
  ],
});

/** Allows only Statistics: Google’s tag, Plausible’s and that of Visits Ltd. */
export async function allowStatistics(page: Page): Promise<void> {
  await findBanner(page).getByRole('button', { name: 'Show details' }).click();
  await findBanner(page).getByRole('switch', { name: 'Statistics' }).click();
  await findBanner(page).getByRole('button', { name: 'Allow Selection' }).click();
  await expect(findBanner(page)).toBeHidden();
  await expect(page.locator('html[data-more]')).toBeAttached();
}

/** Allows every tag. */
export async function allowAll(page: Page): Promise<void> {
  await findBanner(page).getByRole('button', { name: 'Allow All' }).click();
  await expect(page.locator('html[data-more][data-restless]')).toBeAttached();
}

/** Cookies of every path and domain, and keys of both storages, except the site's own. */
export async function storedIn(context: BrowserContext, page: Page): Promise<string[]> {
  const cookies = (await context.cookies()).map(({ name, domain, path }) => `${name} ${domain}${path}`);
  const keys = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  return [...cookies, ...keys.filter((key) => !key.startsWith('cookie_'))];
}

/**
 * Reads commands in order, as Google's does, and accepts only `arguments` objects; creates the same policy as Google's.
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

const PROVIDERS =
  /^https:\/\/([\w.]+\.)?(licdn\.com|linkedin\.com|facebook\.(net|com)|matomo\.cloud|calendly\.com|umami\.(is|dev))\//;

/** By host and path: each does what its provider's script does, as far as a page can tell. */
const STAND_INS: Record<string, string> = {
  'snap.licdn.com/li.lms-analytics/insight.min.js': `
    document.cookie = 'li_fat_id=1; max-age=9999; path=/; domain=agency.localhost';
    const [partner] = _linkedin_data_partner_ids;
    new Image().src = 'https://px.ads.linkedin.com/collect?pid=' + partner + '&queued=' + lintrk.q.length;
    fetch('https://px.ads.linkedin.com/wa/', { method: 'POST', body: 'x' });
  `,
  'connect.facebook.net/en_US/fbevents.js': `
    document.cookie = '_fbp=1; max-age=9999; path=/; domain=agency.localhost';
    const policy = trustedTypes.createPolicy('connect.facebook.net/fbevents', { createScriptURL: (url) => url });
    fbq.callMethod = (command, ...details) => {
      const address = 'https://www.facebook.com/tr/?' + new URLSearchParams({ command, details: details.join() });
      if (navigator.sendBeacon(address)) new Image().src = address;
    };
    for (const command of fbq.queue) fbq.callMethod(...command);
    const more = document.createElement('script');
    more.src = policy.createScriptURL('https://connect.facebook.net/signals/config/1234567890.js');
    document.head.append(more);
  `,
  'agency.matomo.cloud/matomo.js': `
    document.cookie = '_pk_id.7.1=1; max-age=9999; path=/';
    const settings = Object.fromEntries(_paq);
    const send = (command) =>
      navigator.sendBeacon(settings.setTrackerUrl + '?idsite=' + settings.setSiteId + '&action=' + command.join());
    _paq.filter(([name]) => name.startsWith('track')).forEach(send);
    _paq = { push: send };
  `,
  'cloud.umami.is/script.js': `
    const { websiteId } = document.currentScript.dataset;
    fetch('https://gateway.umami.dev/api/send', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ websiteId, ...umamiSettings }),
    });
  `,
  'assets.calendly.com/assets/external/widget.js': `
    window.Calendly = {
      initPopupWidget({ url }) {
        const overlay = document.createElement('div');
        overlay.className = 'calendly-overlay';
        overlay.innerHTML = '<div class="calendly-spinner"></div>';
        const frame = document.createElement('iframe');
        frame.src = url + '?embed_type=PopupText';
        frame.title = 'Calendar';
        overlay.append(frame);
        document.body.append(overlay);
      },
    };
  `,
  'assets.calendly.com/assets/external/widget.css':
    '.calendly-overlay { position: fixed; inset: 10px; z-index: 9999; }',
  'calendly.com/agency/call': '<h1>Choose a time</h1>',
};
