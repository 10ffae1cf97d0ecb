import { afterEach, expect, test, vi } from 'vitest';
import { parseEnvironment } from '#shared/environment.ts';
import type { Store } from '#store/open-store.ts';
import { readVisits } from '#visits/read-visits.ts';
import { deleteOldDays } from '#visits/stored-visits.ts';
import { openVisitCounter } from '#visits/visit-counter.ts';
import { FIREFOX, SAFARI } from './ask-as-browser.ts';
import { freshStore, openPlace, type Place, waitUntil } from './running-newsletter.ts';

type Headers = Record<string, string | undefined>;

afterEach(() => void vi.useRealTimers());

/** A counter over a store that can go away. Its visitors are distinguished by their number. */
async function startCounter(place?: Place) {
  const env = parseEnvironment(place ?? (await freshStore()));
  const store = await openPlace(env);
  const failing = { isAway: false };
  const transaction: Store['transaction'] = (work) =>
    failing.isAway ? Promise.reject(new Error('away')) : store.transaction(work);
  const counter = await openVisitCounter({ ...store, transaction }, env, ({ socket }) => socket.remoteAddress ?? '');
  const request = (url: string, headers: Headers, visitor: number) =>
    ({
      url,
      headers: { 'user-agent': SAFARI, host: 'www.example.org', ...headers },
      socket: { remoteAddress: String(visitor) },
    }) as Parameters<typeof counter.countPage>[1];
  const log: string[] = [];
  return {
    show: (url: string, headers: Headers = {}, visitor = 0) =>
      counter.countPage(url.split('?', 1)[0]!, request(url, headers, visitor)),
    signUp: () => counter.countSignUp(request('/', {}, 0)),
    stop: counter.start((line) => log.push(line)),
    rows: () => store.db.selectFrom('visits').selectAll().orderBy('day').orderBy('page').execute(),
    failing,
    log,
  };
}

function setClock(time: string): void {
  vi.setSystemTime(Date.parse(time));
}

test('within a minute a reload does not count', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { show, stop, rows } = await startCounter();
  const reload = { referer: 'https://news.example/' };
  const steps: [string, string, Headers, number][] = [
    ['12:00:00', '/', reload, 1],
    ['12:00:59', '/', reload, 1],
    ['12:01:30', '/?again', reload, 1],
    ['12:01:40', '/', { ...reload, 'user-agent': FIREFOX }, 2],
    ['12:01:50', '/other', {}, 3],
    ['12:01:55', '/', reload, 4],
    ['12:03:00', '/', reload, 5],
    ['12:03:10', '/other', reload, 6],
    ['12:03:20', '/other', { referer: 'https://elsewhere.example/' }, 7],
    ['12:03:30', '/other', { referer: 'https://elsewhere.example/' }, 7],
  ];
  for (const [time, path, headers, shown] of steps) {
    setClock(`2026-11-22T${time}Z`);
    show(path, headers);
    await stop();
    const total = (await rows()).reduce((sum, row) => sum + row.shown, 0);
    expect({ time, total }).toEqual({ time, total: shown });
  }
});

test('a day ends at midnight in London, and nobody of the day before is known', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  setClock('2026-07-01T22:59:50Z');
  const { show, signUp, stop, rows } = await startCounter();
  show('/');
  setClock('2026-07-01T23:00:10Z');
  signUp();
  show('/');
  await stop();
  expect(await rows()).toMatchObject([
    { day: '2026-07-01', shown: 1, sign_ups: 0 },
    { day: '2026-07-02', shown: 1, sign_ups: 0 },
  ]);
});

test('a sign-up counts within an hour after the last page, once', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  setClock('2026-11-22T12:00:00Z');
  const { show, signUp, stop, rows } = await startCounter();
  show('/', { referer: 'https://news.example/' });
  setClock('2026-11-22T12:50:00Z');
  show('/other', { referer: 'https://www.example.org/' });
  setClock('2026-11-22T13:40:00Z');
  for (let time = 0; time < 2; time += 1) signUp();
  setClock('2026-11-22T14:51:00Z');
  signUp();
  await stop();
  expect(await rows()).toMatchObject([
    { page: '/', referrer: 'news.example', sign_ups: 1 },
    { page: '/other', sign_ups: 0 },
  ]);
});

test('counts are written within a minute, and kept while the store is away', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { show, stop, rows, failing, log } = await startCounter();
  show('/');
  failing.isAway = true;
  await vi.advanceTimersByTimeAsync(60_000);
  await waitUntil(() => expect(log).toEqual([expect.stringMatching(/^Visits: not written .*tried again/)]));
  failing.isAway = false;
  await vi.advanceTimersByTimeAsync(60_000);
  await waitUntil(async () => expect(await rows()).toMatchObject([{ page: '/', shown: 1 }]));
  show('/', { 'user-agent': FIREFOX });
  await stop();
  expect(await rows()).toMatchObject([{ page: '/', shown: 2 }]);
});

test('days of more than two years ago are forgotten, and no others', async () => {
  const store = await openPlace(await freshStore());
  const row = { page: '/', referrer: '', campaign: '', shown: 1, sign_ups: 0 };
  const days = ['2024-11-18', '2024-11-23', '2026-11-22'].map((day) => ({ ...row, day }));
  await store.db.insertInto('visits').values(days).execute();
  await deleteOldDays(store, Date.parse('2026-11-22T12:00:00Z'));
  const kept = await store.db.selectFrom('visits').select('day').orderBy('day').execute();
  expect(kept.map(({ day }) => day)).toEqual(['2024-11-23', '2026-11-22']);
});

test('a summary counts seven days in London, names ten of each and sums the others', async () => {
  const place = await freshStore();
  const store = await openPlace(place);
  const row = { page: '/', campaign: '', shown: 2, sign_ups: 1 };
  const days = Array.from({ length: 12 }, (_, at) => ({ ...row, day: '2026-11-20', referrer: `host${at}.example` }));
  const before = { ...row, day: '2026-11-15', referrer: '' };
  await store.db
    .insertInto('visits')
    .values([...days, before])
    .execute();
  const { by, ...total } = await readVisits(store, parseEnvironment(place), Date.parse('2026-11-22T12:00:00Z'));
  expect(total).toMatchObject({ shown: 24, signUps: 12 });
  expect(by.referrer).toHaveLength(11);
  expect(by.referrer.at(-1)).toEqual({ name: 'others', shown: 4, signUps: 2 });
});

test('a flood of made-up hosts and campaigns fills neither memory nor the table', async () => {
  const { show, stop, rows } = await startCounter();
  for (let number = 0; number < 1500; number += 1) {
    show(`/?utm_source=${number}`, { referer: `https://host${number}.example/` }, number);
  }
  await stop();
  const after = await rows();
  expect(after).toHaveLength(1001);
  expect(after.find(({ referrer }) => referrer === 'other')).toMatchObject({ campaign: 'other', shown: 500 });
});

test('a campaign is kept once three visitors have come by it, also on later days and after a restart', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  setClock('2026-11-22T12:00:00Z');
  const place = await freshStore();
  const { show, stop, rows } = await startCounter(place);
  const personal = '/?utm_content=anna-smith-4711';
  const link = '/?utm_source=fair';
  for (const visitor of [1, 1, 2]) show(personal, {}, visitor);
  for (const visitor of [3, 4, 5]) show(link, {}, visitor);
  await stop();
  expect(await rows()).toMatchObject([
    { campaign: '', shown: 4 },
    { campaign: 'utm_source=fair', shown: 1 },
  ]);
  setClock('2026-11-23T12:00:00Z');
  show(link);
  await stop();
  const again = await startCounter(place);
  again.show(link, {}, 1);
  again.show(personal, {}, 2);
  await again.stop();
  expect((await rows()).filter(({ day }) => day === '2026-11-23')).toMatchObject([
    { campaign: '', shown: 1 },
    { campaign: 'utm_source=fair', shown: 2 },
  ]);
});

test('made-up origins of one visitor fill 20 rows at most, and leave those of others their names', async () => {
  const { show, stop, rows } = await startCounter();
  for (let number = 0; number < 1010; number += 1) show('/', { referer: `https://host${number}.example/` });
  show('/', { referer: 'https://news.example/' }, 1);
  await stop();
  const referrers = (await rows()).map(({ referrer }) => referrer);
  expect(referrers).toHaveLength(22);
  expect(referrers).toContain('news.example');
});
