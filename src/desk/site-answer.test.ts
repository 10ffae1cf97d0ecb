import { expect, test, vi } from 'vitest';
import { parseEnvironment } from '#settings/environment.ts';
import { createSiteCheck } from './site-answer.ts';

const ask = (fetched: () => Promise<Response>) => {
  vi.stubGlobal('fetch', fetched);
  return createSiteCheck(parseEnvironment({ SITE_URL: 'https://agency.test' }))();
};

test.each([
  [200, undefined],
  // A host for files has no /healthz.
  [404, undefined],
  [403, undefined],
  [503, 'It runs, but cannot store a sign-up now'],
  [502, 'It answered 502'],
])('a site that answers %i is there', async (status, problem) => {
  expect(await ask(() => Promise.resolve(new Response('', { status })))).toMatchObject({ problem, isReached: true });
});

test('a site that this machine can’t reach may still be up', async () => {
  const answer = await ask(() => Promise.reject(new TypeError('fetch failed')));
  expect(answer).toMatchObject({ problem: 'No answer', isReached: false });
});
