import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSiteFiles } from '#server/site-files.ts';
import { TEST_SITE } from '../built-sites.ts';
import { askAsBrowser, FIREFOX, SAFARI } from './ask-as-browser.ts';
import { runCommand } from './owner-commands.ts';
import { freshStore, onEachStore, openPlace, signUp, startNewsletter, type StoreName } from './running-newsletter.ts';

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

type Headers = Record<string, string>;

/** A server with the pages of the site, which writes its visits when it stops. */
async function startSite(variables: Headers = {}, name?: StoreName) {
  const running = await startNewsletter(variables, name, await openSiteFiles(TEST_SITE));
  const stopAndRead = async () => {
    await running.stop();
    return JSON.parse((await running.command('status', '--json')).output).visits;
  };
  return { ...running, stopAndRead };
}

onEachStore('visits', (name) => {
  test('pages are counted with where their visitors came from, and their sign-ups, after a restart too', async () => {
    const before = await startSite({}, name);
    await askAsBrowser(`${before.url}/`);
    await before.stop();
    const server = await startSite({ ...before.place, TRUSTED_PROXY_HEADER: 'X-Client' });
    const visitor = { 'X-Client': '10.1.1.1', 'User-Agent': SAFARI };
    await askAsBrowser(`${server.url}/`, { ...visitor, Referer: 'https://www.linkedin.com/feed/?person=anna' });
    await askAsBrowser(`${server.url}/privacy-policy`, { ...visitor, Referer: `${server.url}/` });
    expect((await signUp(server.url, {}, visitor)).status).toBe(200);
    expect(await server.stopAndRead()).toMatchObject({
      shown: 3,
      signUps: 1,
      uncounted: null,
      by: {
        page: [
          { name: '/', shown: 2, signUps: 1 },
          { name: '/privacy-policy', shown: 1, signUps: 0 },
        ],
        referrer: [
          { name: '', shown: 2, signUps: 0 },
          { name: 'www.linkedin.com', shown: 1, signUps: 1 },
        ],
      },
    });
  });
});

test('nothing is set in the browser, and no address and no browser is written down', async () => {
  const server = await startSite({ TRUSTED_PROXY_HEADER: 'X-Client' });
  const { headers } = await askAsBrowser(`${server.url}/`, {
    'X-Client': '203.0.113.77',
    Referer: 'http://192.0.2.5/wiki',
  });
  expect(headers['set-cookie']).toBeUndefined();
  expect(await server.stopAndRead()).toMatchObject({ shown: 1, by: { referrer: [{ name: '', shown: 1 }] } });
  const { DATA_DIR } = server.env;
  const written = readdirSync(DATA_DIR).map((file) => readFileSync(join(DATA_DIR, file), 'latin1'));
  for (const mark of ['203.0.113', '192.0.2', 'Safari']) {
    expect(written.join('') + server.log.join('')).not.toContain(mark);
  }
});

test('only pages that somebody is shown count, and nobody who objects', async () => {
  const server = await startSite();
  const uncounted: [string, Headers, string?][] = [
    ['/', {}, 'HEAD'],
    ['/nowhere', {}],
    ['/privacy-policy/', {}],
    ['/favicon.ico', {}],
    ['/healthz', {}],
    ['/', { 'User-Agent': GOOGLEBOT }],
    ['/', { 'User-Agent': '' }],
    ['/', { 'User-Agent': `${SAFARI} ${'x'.repeat(1000)}` }],
    ['/', { 'Sec-Purpose': 'prefetch' }],
    ['/', { 'Sec-Purpose': 'prefetch;prerender' }],
    ['/', { Purpose: 'prefetch' }],
    ['/', { 'Sec-Fetch-Dest': 'iframe' }],
    ['/', { 'Sec-Fetch-Dest': 'empty' }],
    ['/', { 'Sec-GPC': '1' }],
    ['/', { DNT: '1' }],
  ];
  for (const [path, headers, method = 'GET'] of uncounted) await askAsBrowser(server.url + path, headers, method);
  await signUp(server.url, {}, { 'User-Agent': SAFARI, 'Sec-GPC': '1' });
  await askAsBrowser(`${server.url}/`, {
    'User-Agent': FIREFOX,
    'Sec-Fetch-Dest': 'document',
    'Sec-GPC': '0',
    DNT: '0',
  });
  expect(await server.stopAndRead()).toMatchObject({ shown: 1, signUps: 0 });
});

test.each([
  ['COUNT_VISITS is false', { COUNT_VISITS: 'false' }, 'not counted, since COUNT_VISITS is false'],
  ['its pages are on another host', { RECEIVER_OF: 'https://www.example.org' }, 'where a static host serves the pages'],
])('where %s nothing is counted, and the report says so', async (_, variables: Headers, reason) => {
  const server = await startSite(variables);
  await askAsBrowser(`${server.url}/`);
  await server.stop();
  const { db } = await openPlace(server.place);
  expect(await db.selectFrom('visits').selectAll().execute()).toEqual([]);
  expect((await runCommand({ ...server.place, ...variables }, 'status')).output).toContain(reason);
});

test('before the first visit the report says that a static host’s are not counted', async () => {
  const place = await freshStore();
  await openPlace(place);
  expect((await runCommand(place, 'status')).output).toContain('where a static host serves the pages');
});
