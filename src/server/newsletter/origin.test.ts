import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { readOrigin } from './origin.ts';

const SITE_URL = 'https://www.agency.example';

test.each<[string, string | undefined, Record<string, string>, boolean]>([
  ['another name that leads to this server', SITE_URL, { Host: 'evil.example', Origin: 'http://evil.example' }, false],
  ['such a name, hidden', SITE_URL, { Host: 'evil.example', Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }, false],
  ['the site, hidden', SITE_URL, { Host: 'www.agency.example', Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }, true],
  [
    'elsewhere, hidden',
    SITE_URL,
    { Host: 'www.agency.example', Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
    false,
  ],
  ['the host that is asked', undefined, { Host: 'agency.example', Origin: 'https://agency.example' }, true],
  ['another host', undefined, { Host: 'agency.example', Origin: 'http://evil.example' }, false],
])('whether a page of %s may post, with SITE_URL %s', async (_, siteUrl, headers, isAllowed) => {
  const env = { SITE_URL: siteUrl, ALLOWED_ORIGINS: [] };
  const app = new Hono().post('/', (context) => context.json(readOrigin(context, env)));
  const answer = await app.request('/', { method: 'POST', headers });
  expect(await answer.json()).toMatchObject({ isAllowed });
});
