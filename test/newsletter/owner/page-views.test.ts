import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { listFiles } from '#content/list-files.ts';
import { openSiteFiles } from '#server/site-files.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { createPageViewCounter } from '#newsletter/page-views/count-page-views.ts';
import { deleteOldPageViews, readPageViews } from '#newsletter/page-views/stored-page-views.ts';
import { ask } from '../../ask.ts';
import { TEST_SITE } from '../../built-sites.ts';
import {
  freshStore,
  onEachStore,
  openPlace,
  signUp,
  startNewsletter,
  type StoreName,
  waitUntil,
} from '../setup/running-newsletter.ts';

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

type Headers = Record<string, string>;

/** Sends a request as a browser does, with these headers added. */
const askAsBrowser = (url: string, headers: Headers = {}, method = 'GET') =>
  ask(url, { method, headers: { 'User-Agent': SAFARI, ...headers } });

afterEach(() => void vi.useRealTimers());

/** A server with the pages of the site; it writes its page views when it stops. */
async function startSite(variables: Headers = {}, name?: StoreName) {
  const running = await startNewsletter(variables, name, await openSiteFiles(TEST_SITE));
  const stopAndRead = async () => {
    await running.stop();
    return JSON.parse((await running.command('status', '--json')).output).pageViews;
  };
  return { ...running, stopAndRead };
}

/** A counter with a store that can become unavailable. */
async function startCounter() {
  const store = await openPlace(await freshStore());
  const failing = { isAway: false };
  const transaction: Store['transaction'] = (work) =>
    failing.isAway ? Promise.reject(new Error('away')) : store.transaction(work);
  const counter = createPageViewCounter({ ...store, transaction }, 'https://www.example.org');
  const log: string[] = [];
  return {
    show: (page: string, referer?: string) => counter.count(page, { 'user-agent': SAFARI, referer }),
    stop: counter.start((line) => log.push(line)),
    rows: () => store.db.selectFrom('page_views').selectAll().orderBy('day').orderBy('page').execute(),
    failing,
    log,
    store,
  };
}

onEachStore('page views', (name) => {
  test('are counted by page and by the site that linked to it, and two servers count together', async () => {
    const first = await startSite({}, name);
    await askAsBrowser(`${first.url}/`);
    await first.stop();
    const server = await startSite({ ...first.place });
    await askAsBrowser(`${server.url}/`, { Referer: 'https://www.linkedin.com/feed/?person=anna' });
    await askAsBrowser(`${server.url}/?utm_source=post`, { Referer: 'https://www.linkedin.com/' });
    await askAsBrowser(`${server.url}/privacy-policy`, { Referer: `${server.url}/` });
    expect(await server.stopAndRead()).toEqual({
      total: 4,
      pages: [
        { name: '/', views: 3 },
        { name: '/privacy-policy', views: 1 },
      ],
      sites: [
        { name: '', views: 2 },
        { name: 'www.linkedin.com', views: 2 },
      ],
    });
  });
});

test('stores nothing about visitors, here or in their browser, and keeps a sign-up’s own source', async () => {
  const server = await startSite({ TRUSTED_PROXY_HEADER: 'X-Client' });
  const { headers } = await askAsBrowser(`${server.url}/?utm_term=anna-smith`, {
    'X-Client': '203.0.113.77',
    Referer: 'http://192.0.2.5/wiki',
  });
  expect(headers['set-cookie']).toBeUndefined();
  await signUp(server.url, { source: 'Footer | utm_source=post' }, { 'User-Agent': SAFARI });
  expect(await server.people()).toMatchObject([{ first_source: 'Footer | utm_source=post' }]);
  expect(await server.stopAndRead()).toMatchObject({ total: 1, sites: [{ name: '', views: 1 }] });
  const { DATA_DIR } = server.env;
  const written = listFiles(DATA_DIR).map((file) => readFileSync(join(DATA_DIR, file), 'latin1'));
  for (const mark of ['203.0.113', '192.0.2', 'Safari', 'anna-smith']) {
    expect(written.join('') + server.log.join('')).not.toContain(mark);
  }
});

test('counts only pages that a person sees, and nobody who has opted out', async () => {
  const server = await startSite();
  const uncounted: [string, Headers, string?][] = [
    ['/', {}, 'HEAD'],
    ['/nowhere', {}],
    ['/privacy-policy/', {}],
    ['/favicon.ico', {}],
    ['/healthz', {}],
    ['/', { 'User-Agent': GOOGLEBOT }],
    ['/', { 'User-Agent': '' }],
    ['/', { 'Sec-Purpose': 'prefetch;prerender' }],
    ['/', { Purpose: 'prefetch' }],
    ['/', { 'Sec-Fetch-Dest': 'iframe' }],
    ['/', { 'Sec-GPC': '1' }],
    ['/', { DNT: '1' }],
  ];
  for (const [path, headers, method = 'GET'] of uncounted) await askAsBrowser(server.url + path, headers, method);
  const shown = { 'User-Agent': FIREFOX, 'Sec-Fetch-Dest': 'document', 'Sec-GPC': '0', DNT: '0' };
  await askAsBrowser(`${server.url}/`, shown);
  expect(await server.stopAndRead()).toMatchObject({ total: 1 });
});

test.each([
  ['a page', 'https://news.example.com:8443/a?b', 'news.example.com'],
  ['an app', 'android-app://com.linkedin.android/', 'com.linkedin.android'],
  ['the site itself', 'https://www.example.org/privacy-policy', ''],
  ['an IP address', 'http://[2001:db8::1]/', ''],
  ['a local name', 'http://intranet/anna', ''],
  ['a name that is too long', `https://${'news.'.repeat(60)}example/`, ''],
  ['another protocol', 'ftp://files.example.com/', ''],
  ['no URL', 'about', ''],
])('counts the referrer %s as a site or as no site', async (_, referer, site) => {
  const { show, stop, rows } = await startCounter();
  show('/', referer);
  await stop();
  expect(await rows()).toMatchObject([{ site }]);
});

test('ends a day at midnight in London', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { show, stop, rows } = await startCounter();
  for (const time of ['2026-07-01T22:59:50Z', '2026-07-01T23:00:10Z']) {
    vi.setSystemTime(Date.parse(time));
    show('/');
  }
  await stop();
  expect(await rows()).toMatchObject([
    { day: '2026-07-01', views: 1 },
    { day: '2026-07-02', views: 1 },
  ]);
});

test('writes counts within a minute, and keeps them while the store is unavailable', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { show, stop, rows, failing, log } = await startCounter();
  show('/');
  failing.isAway = true;
  await vi.advanceTimersByTimeAsync(60_000);
  await waitUntil(() => expect(log).toEqual([expect.stringMatching(/^Page views: could not be saved .*Retrying/)]));
  show('/');
  failing.isAway = false;
  await vi.advanceTimersByTimeAsync(60_000);
  await waitUntil(async () => expect(await rows()).toMatchObject([{ page: '/', views: 2 }]));
  await stop();
});

test('fills neither memory nor the table with made-up sites', async () => {
  const { show, stop, rows } = await startCounter();
  for (let number = 0; number < 700; number += 1) show('/', `https://host${number}.example/`);
  await stop();
  const after = await rows();
  expect(after).toHaveLength(501);
  expect(after.find(({ site }) => site === 'other')).toMatchObject({ views: 200 });
});

test('deletes days more than two years ago, and reads a week', async () => {
  const { store, rows } = await startCounter();
  const days = ['2024-11-18', '2024-11-23', '2026-11-15', '2026-11-16', '2026-11-22'];
  const views = days.map((day) => ({ day, page: '/', site: '', views: 1 }));
  await store.db.insertInto('page_views').values(views).execute();
  await deleteOldPageViews(store, Date.parse('2026-11-22T12:00:00Z'));
  expect((await rows()).map(({ day }) => day)).toEqual(days.slice(1));
  expect(await readPageViews(store, Date.parse('2026-11-22T12:00:00Z'))).toMatchObject({ total: 2 });
});
