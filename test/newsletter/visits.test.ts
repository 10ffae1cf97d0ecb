import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseEnvironment } from '#shared/environment.ts';
import { openStore, type Store } from '#store/open-store.ts';
import { readVisits } from '#visits/read-visits.ts';
import { forgetDays } from '#visits/stored-visits.ts';
import { createAddressReader } from '#server/newsletter/client-address.ts';
import { openVisitCounter, type VisitCounter } from '#visits/visit-counter.ts';
import { runCommand, startBuiltServer } from './built-server.ts';
import { freshStore, onEachStore, signUp } from './running-newsletter.ts';

const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

type Variables = { DATA_DIR: string; DATABASE_URL?: string };
type Headers = Record<string, string>;

afterEach(() => void vi.useRealTimers());

/** Asks as a browser does, with these headers beside. */
async function ask(url: string, headers: Headers = {}, options: { method?: string; agent?: Agent } = {}) {
  const asked = request(url, { ...options, headers: { 'User-Agent': SAFARI, ...headers } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return { status: answer.statusCode, headers: answer.headers };
}

function visitsIn(variables: Variables) {
  const { output } = runCommand({ PATH: process.env.PATH ?? '', ...variables }, 'status', '--json');
  return JSON.parse(output).visits;
}

onEachStore('visits', (name) => {
  test('pages are counted with where their visitors came from, and their sign-ups', async () => {
    const variables = await freshStore(name);
    const server = await startBuiltServer({ ...variables, TRUSTED_PROXY_HEADER: 'X-Client' });
    const fromLinkedin = { Referer: 'https://www.linkedin.com/feed/?person=anna', 'X-Client': '10.1.1.1' };
    await ask(`${server.url}/`, fromLinkedin);
    await ask(`${server.url}/privacy-policy`, { Referer: `${server.url}/`, 'X-Client': '10.1.1.1' });
    for (const client of ['10.2.2.2', '10.3.3.3', '10.4.4.4']) {
      await ask(`${server.url}/?utm_source=mail&utm_term=anna@example.org&x=1`, { 'X-Client': client });
    }
    const visitor = { 'X-Client': '10.1.1.1', 'User-Agent': SAFARI };
    expect((await signUp(server.url, {}, visitor)).status).toBe(200);
    expect((await signUp(server.url, {}, visitor)).status).toBe(200);
    await server.stop();

    expect(visitsIn(variables)).toEqual({
      shown: 5,
      signUps: 1,
      uncounted: null,
      by: {
        page: [
          { name: '/', shown: 4, signUps: 1 },
          { name: '/privacy-policy', shown: 1, signUps: 0 },
        ],
        referrer: [
          { name: '', shown: 4, signUps: 0 },
          { name: 'www.linkedin.com', shown: 1, signUps: 1 },
        ],
        campaign: [
          { name: '', shown: 4, signUps: 1 },
          { name: 'utm_source=mail&utm_term=…', shown: 1, signUps: 0 },
        ],
      },
    });
  });

  test('two servers count together', async () => {
    const variables = { ...(await freshStore(name)), SIGNING_SECRET: 'x'.repeat(32) };
    const one = await startBuiltServer(variables);
    await ask(`${one.url}/`);
    await one.stop();
    const other = await startBuiltServer(variables);
    await ask(`${other.url}/`);
    await other.stop();
    expect(visitsIn(variables)).toMatchObject({ shown: 2, by: { page: [{ name: '/', shown: 2 }] } });
  });
});

test('nothing is set in the browser, and no address and no browser is written down', async () => {
  const variables = await freshStore('SQLite');
  const server = await startBuiltServer({ ...variables, TRUSTED_PROXY_HEADER: 'X-Client' });
  const { headers } = await ask(`${server.url}/`, { 'X-Client': '203.0.113.77', Referer: 'http://192.0.2.5/wiki' });
  expect(headers['set-cookie']).toBeUndefined();
  await server.stop();
  expect(visitsIn(variables)).toMatchObject({ shown: 1, by: { referrer: [{ name: '', shown: 1 }] } });
  const written = readdirSync(variables.DATA_DIR).map((file) => readFileSync(join(variables.DATA_DIR, file), 'latin1'));
  for (const mark of ['203.0.113', '192.0.2', 'Safari']) {
    expect(written.join('') + server.output.join('')).not.toContain(mark);
  }
});

test('only pages that somebody is shown count, and nobody who objects', async () => {
  const variables = await freshStore('SQLite');
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
  for (const [path, headers, method = 'GET'] of uncounted) await ask(server.url + path, headers, { method });
  await signUp(server.url, {}, { 'User-Agent': SAFARI, 'Sec-GPC': '1' });
  await ask(`${server.url}/`, { 'User-Agent': FIREFOX, 'Sec-Fetch-Dest': 'document', 'Sec-GPC': '0', DNT: '0' });
  await server.stop();
  expect(visitsIn(variables)).toMatchObject({ shown: 1, signUps: 0 });
});

test.each([
  ['COUNT_VISITS is false', { COUNT_VISITS: 'false' }, 'not counted, since COUNT_VISITS is false'],
  ['its pages are on another host', { RECEIVER_OF: 'https://www.example.org' }, 'the pages are on another host'],
  ['another server sends the pages', {}, 'where a static host serves the pages'],
])('where %s nothing is counted, and the report says so', async (_, variables: Headers, reason) => {
  const store = await freshStore('SQLite');
  const server = await startBuiltServer({ ...store, ...variables });
  if (reason !== 'where a static host serves the pages') await ask(`${server.url}/`);
  await server.stop();
  const { output } = runCommand({ PATH: process.env.PATH ?? '', ...store, ...variables }, 'status');
  expect(output).toContain(reason);
});

/** A counter over a store, behind a server that has the pages / and /other. */
async function startCounter(variables: Headers = {}, place?: Variables) {
  const env = parseEnvironment({ ...(place ?? (await freshStore('SQLite'))), ...variables });
  const store = await openStore({ databaseUrl: env.DATABASE_URL, dataDir: env.DATA_DIR });
  const failing = { isAway: false };
  const counter = await openVisitCounter(
    {
      ...store,
      transaction: (work) => (failing.isAway ? Promise.reject(new Error('away')) : store.transaction(work)),
    } satisfies Store,
    env,
    createAddressReader(env.TRUSTED_PROXY_HEADER),
  );
  const server = createServer((asked, answer) => {
    answer.end();
    const [path = ''] = (asked.url ?? '').split('?');
    if (asked.method === 'POST') counter.signedUp(asked);
    else counter.shown(path, asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await store.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rows = () => store.db.selectFrom('visits').selectAll().orderBy('day').orderBy('page').execute();
  return { url, counter, rows, failing };
}

function setClock(time: string): void {
  vi.setSystemTime(Date.parse(time));
}

describe('within a minute', () => {
  test.each([
    ['on one connection', new Agent({ keepAlive: true, maxSockets: 1 })],
    ['on a connection each', new Agent()],
  ])('a reload does not count, %s', async (_, agent) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { url, counter, rows } = await startCounter();
    const reload = { Referer: 'https://news.example/' };
    const steps: [string, string, Headers, number][] = [
      ['12:00:00', '/', reload, 1],
      ['12:00:59', '/', reload, 1],
      ['12:01:30', '/?again', reload, 1],
      ['12:01:40', '/', { ...reload, 'User-Agent': FIREFOX }, 2],
      ['12:01:50', '/other', {}, 3],
      ['12:01:55', '/', reload, 4],
      ['12:03:00', '/', reload, 5],
      ['12:03:10', '/other', reload, 6],
      ['12:03:20', '/other', { Referer: 'https://elsewhere.example/' }, 7],
      ['12:03:30', '/other', { Referer: 'https://elsewhere.example/' }, 7],
    ];
    for (const [time, path, headers, shown] of steps) {
      setClock(`2026-11-22T${time}Z`);
      await ask(url + path, headers, { agent });
      await counter.stop();
      const total = (await rows()).reduce((sum, row) => sum + row.shown, 0);
      expect({ time, total }).toEqual({ time, total: shown });
    }
    agent.destroy();
  });
});

test('visitors behind one proxy are counted apart, though they share its connection', async () => {
  const { url, counter, rows } = await startCounter({ TRUSTED_PROXY_HEADER: 'X-Client' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const client of ['10.0.0.1', '10.0.0.2', '10.0.0.1']) await ask(url, { 'X-Client': client }, { agent });
  agent.destroy();
  await counter.stop();
  expect(await rows()).toMatchObject([{ page: '/', shown: 2 }]);
});

test('a day ends at midnight in London', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  setClock('2026-07-01T22:59:50Z');
  const { url, counter, rows } = await startCounter();
  await ask(url);
  setClock('2026-07-01T23:00:10Z');
  await ask(url, { 'User-Agent': FIREFOX });
  await counter.stop();
  expect(await rows()).toMatchObject([
    { day: '2026-07-01', shown: 1 },
    { day: '2026-07-02', shown: 1 },
  ]);
});

test('after midnight nobody is known any more', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  setClock('2026-07-01T22:59:50Z');
  const { url, counter, rows } = await startCounter();
  await ask(url);
  setClock('2026-07-01T23:00:10Z');
  await ask(url, {}, { method: 'POST' });
  await counter.stop();
  expect(await rows()).toMatchObject([{ day: '2026-07-01', shown: 1, sign_ups: 0 }]);
});

test('a sign-up counts within an hour after the last page, once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  setClock('2026-11-22T12:00:00Z');
  const { url, counter, rows } = await startCounter();
  await ask(url, { Referer: 'https://news.example/' });
  setClock('2026-11-22T12:50:00Z');
  await ask(`${url}/other`, { Referer: `${url}/` });
  setClock('2026-11-22T13:40:00Z');
  for (let time = 0; time < 2; time += 1) await ask(url, {}, { method: 'POST' });
  setClock('2026-11-22T14:51:00Z');
  await ask(url, {}, { method: 'POST' });
  await counter.stop();
  expect(await rows()).toMatchObject([
    { page: '/', referrer: 'news.example', sign_ups: 1 },
    { page: '/other', sign_ups: 0 },
  ]);
});

test('what was counted is written within a minute, and kept while the store is away', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { url, counter, rows, failing } = await startCounter();
  const log: string[] = [];
  counter.start((line) => log.push(line));
  await ask(url);
  failing.isAway = true;
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.waitFor(() => expect(log).toEqual([expect.stringMatching(/^Visits: not written .*tried again/)]));
  failing.isAway = false;
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ page: '/', shown: 1 }]));
  await ask(url, { 'User-Agent': FIREFOX });
  await counter.stop();
  expect(await rows()).toMatchObject([{ page: '/', shown: 2 }]);
});

test('days of more than two years ago are forgotten, and no others', async () => {
  const store = await openStore({ databaseUrl: undefined, dataDir: (await freshStore('SQLite')).DATA_DIR });
  onTestFinished(() => store.close());
  const row = { page: '/', referrer: '', campaign: '', shown: 1, sign_ups: 0 };
  for (const day of ['2024-11-18', '2024-11-23', '2026-11-22']) {
    await store.statement((db) =>
      db
        .insertInto('visits')
        .values({ ...row, day })
        .execute(),
    );
  }
  await forgetDays(store, Date.parse('2026-11-22T12:00:00Z'));
  const kept = await store.db.selectFrom('visits').select('day').orderBy('day').execute();
  expect(kept.map(({ day }) => day)).toEqual(['2024-11-23', '2026-11-22']);
});

test("a summary counts London's days of its period, names ten of each and sums the others", async () => {
  const place = await freshStore('SQLite');
  const store = await openStore({ databaseUrl: undefined, dataDir: place.DATA_DIR });
  onTestFinished(() => store.close());
  const row = { page: '/', campaign: '', shown: 2, sign_ups: 1 };
  const days = Array.from({ length: 12 }, (_, at) => ({ ...row, day: '2026-11-20', referrer: `host${at}.example` }));
  for (const values of [...days, { ...row, day: '2026-11-15', referrer: '' }]) {
    await store.statement((db) => db.insertInto('visits').values(values).execute());
  }
  const to = Date.parse('2026-11-22T12:00:00Z');
  const { by, ...total } = await readVisits(store, parseEnvironment(place), { from: to - 7 * 24 * 3600_000, to });
  expect(total).toMatchObject({ shown: 24, signUps: 12 });
  expect(by.referrer).toHaveLength(11);
  expect(by.referrer.at(-1)).toEqual({ name: 'others', shown: 4, signUps: 2 });
});

test('a flood of made-up hosts and campaigns fills neither memory nor the table, also over restarts', async () => {
  const place = await freshStore('SQLite');
  const flood = async (counter: VisitCounter, start: number) => {
    for (let number = start; number < start + 1500; number += 1) {
      counter.shown('/', visit({ referer: `https://host${number}.example/` }, `/?utm_source=${number}`));
    }
    await counter.stop();
  };
  const { counter, rows } = await startCounter({}, place);
  await flood(counter, 0);
  const after = await rows();
  expect(after).toHaveLength(1001);
  expect(after.find(({ referrer }) => referrer === 'other')).toMatchObject({ campaign: 'other', shown: 500 });
  const again = await startCounter({}, place);
  await flood(again.counter, 1000);
  expect((await rows()).length).toBeLessThanOrEqual(1002);
  expect((await rows()).reduce((sum, { shown }) => sum + shown, 0)).toBe(3000);
});

test('a campaign is kept once three visitors have come by it, also on later days and after a restart', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  setClock('2026-11-22T12:00:00Z');
  const place = await freshStore('SQLite');
  const { counter, rows } = await startCounter({}, place);
  const anna = visit({}, '/?utm_content=anna-smith-4711');
  const link = '/?utm_source=fair';
  const requests = [anna, anna, visit({}, anna.url!), visit({}, link), visit({}, link), visit({}, link)];
  for (const each of requests) {
    counter.shown('/', each);
  }
  await counter.stop();
  expect(await rows()).toMatchObject([
    { campaign: '', shown: 4 },
    { campaign: 'utm_source=fair', shown: 1 },
  ]);
  setClock('2026-11-23T12:00:00Z');
  counter.shown('/', visit({}, link));
  await counter.stop();
  const again = await startCounter({}, place);
  again.counter.shown('/', visit({}, link));
  again.counter.shown('/', visit({}, anna.url!));
  await again.counter.stop();
  expect((await rows()).filter(({ day }) => day === '2026-11-23')).toMatchObject([
    { campaign: '', shown: 1 },
    { campaign: 'utm_source=fair', shown: 2 },
  ]);
});

test('made-up origins of one visitor fill 20 rows at most, and leave those of others their names', async () => {
  const { counter, rows } = await startCounter();
  const one = visit({}, '/');
  for (let number = 0; number < 1010; number += 1) {
    counter.shown('/', {
      ...one,
      headers: { ...one.headers, referer: `https://host${number}.example/` },
    } as typeof one);
  }
  counter.shown('/', visit({ referer: 'https://news.example/' }, '/'));
  await counter.stop();
  const referrers = (await rows()).map(({ referrer }) => referrer);
  expect(referrers).toHaveLength(22);
  expect(referrers).toContain('news.example');
});

test('a referrer or campaign with control characters is kept without them', async () => {
  const { counter, rows } = await startCounter();
  for (let times = 0; times < 3; times += 1) {
    counter.shown('/', visit({ referer: 'https://ne\u0000ws.example/' }, '/?utm_source=a%00b%1B%0Ac'));
  }
  await counter.stop();
  expect(JSON.stringify(await rows())).not.toMatch(/\\u00|\\n/);
  expect((await rows()).map(({ campaign }) => campaign)).toContain('utm_source=a b c');
});

test('whatever a request says, counting it fails nobody', async () => {
  const { counter, rows } = await startCounter();
  const header = fc.option(fc.string({ unit: 'binary' }), { nil: undefined });
  fc.assert(
    fc.property(
      fc.record({ referer: header, host: header, 'sec-purpose': header, 'sec-fetch-dest': fc.constant(undefined) }),
      fc.string({ unit: 'binary' }),
      (headers, query) => counter.shown('/', visit(headers, `/?utm_source=${query}&${query}`)),
    ),
    { numRuns: 500 },
  );
  await counter.stop();
  expect((await rows()).reduce((sum, { shown }) => sum + shown, 0)).toBeGreaterThan(0);
});

let visitors = 0;

/** A request of another visitor each time, on a connection of its own. */
function visit(headers: IncomingHttpHeaders, url: string): Parameters<VisitCounter['shown']>[1] {
  visitors += 1;
  const socket = { remoteAddress: `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}` };
  return { url, socket, headers: { 'user-agent': SAFARI, ...headers } } as Parameters<VisitCounter['shown']>[1];
}
