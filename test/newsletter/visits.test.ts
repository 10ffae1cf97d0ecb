import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askAsBrowser, FIREFOX, SAFARI } from './ask-as-browser.ts';
import { runCommand, startBuiltServer } from './built-server.ts';
import { freshStore, onEachStore, type Place, signUp } from './running-newsletter.ts';

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

type Headers = Record<string, string>;

async function visitsIn(place: Place) {
  return JSON.parse((await runCommand(place, 'status', '--json')).output).visits;
}

onEachStore('visits', (name) => {
  test('pages are counted with where their visitors came from, and their sign-ups, after a restart too', async () => {
    const variables = { ...(await freshStore(name)), SIGNING_SECRET: 'x'.repeat(32) };
    const before = await startBuiltServer(variables);
    await askAsBrowser(`${before.url}/`);
    await before.stop();
    const server = await startBuiltServer({ ...variables, TRUSTED_PROXY_HEADER: 'X-Client' });
    const visitor = { 'X-Client': '10.1.1.1', 'User-Agent': SAFARI };
    await askAsBrowser(`${server.url}/`, { ...visitor, Referer: 'https://www.linkedin.com/feed/?person=anna' });
    await askAsBrowser(`${server.url}/privacy-policy`, { ...visitor, Referer: `${server.url}/` });
    expect((await signUp(server.url, {}, visitor)).status).toBe(200);
    await server.stop();

    expect(await visitsIn(variables)).toMatchObject({
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
  const variables = await freshStore();
  const server = await startBuiltServer({ ...variables, TRUSTED_PROXY_HEADER: 'X-Client' });
  const { headers } = await askAsBrowser(`${server.url}/`, {
    'X-Client': '203.0.113.77',
    Referer: 'http://192.0.2.5/wiki',
  });
  expect(headers['set-cookie']).toBeUndefined();
  await server.stop();
  expect(await visitsIn(variables)).toMatchObject({ shown: 1, by: { referrer: [{ name: '', shown: 1 }] } });
  const written = readdirSync(variables.DATA_DIR).map((file) => readFileSync(join(variables.DATA_DIR, file), 'latin1'));
  for (const mark of ['203.0.113', '192.0.2', 'Safari']) {
    expect(written.join('') + server.output.join('')).not.toContain(mark);
  }
});

test('only pages that somebody is shown count, and nobody who objects', async () => {
  const variables = await freshStore();
  const server = await startBuiltServer(variables);
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
  await server.stop();
  expect(await visitsIn(variables)).toMatchObject({ shown: 1, signUps: 0 });
});

test.each([
  ['COUNT_VISITS is false', { COUNT_VISITS: 'false' }, 'not counted, since COUNT_VISITS is false'],
  ['its pages are on another host', { RECEIVER_OF: 'https://www.example.org' }, 'the pages are on another host'],
  ['another server sends the pages', {}, 'where a static host serves the pages'],
])('where %s nothing is counted, and the report says so', async (_, variables: Headers, reason) => {
  const store = await freshStore();
  const server = await startBuiltServer({ ...store, ...variables });
  if (reason !== 'where a static host serves the pages') await askAsBrowser(`${server.url}/`);
  await server.stop();
  const { output } = await runCommand({ ...store, ...variables }, 'status');
  expect(output).toContain(reason);
});
