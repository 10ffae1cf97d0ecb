import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { type From, readOrigin } from './origin.ts';

const SITE_URL = 'https://www.agency.example';
/** The Host header that nginx passes on by default. */
const UPSTREAM = { Host: '127.0.0.1:3000' };
const OWN = { Host: 'www.agency.example' };
const EVIL = 'https://evil.example';

test.each<[From, string, string | undefined, Record<string, string>]>([
  ['ours', 'the site', SITE_URL, { ...OWN, Origin: SITE_URL }],
  ['ours', 'the site, behind a proxy that hides Host', SITE_URL, { ...UPSTREAM, Origin: SITE_URL }],
  ['ours', 'the site, hidden', SITE_URL, { ...OWN, Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
  ['ours', 'a browser that sends no origin', SITE_URL, OWN],
  ['ours', 'an allowed site', SITE_URL, { ...OWN, Origin: 'https://partner.example', 'Sec-Fetch-Site': 'cross-site' }],
  ['unknown', 'the site, hidden, without Sec-Fetch-Site', SITE_URL, { ...OWN, Origin: 'null' }],
  ['unknown', 'the site, twice hidden', SITE_URL, { ...UPSTREAM, Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
  ['unknown', 'another name that resolves here', SITE_URL, { Host: 'evil.example', Origin: 'http://evil.example' }],
  [
    'unknown',
    'the site without www',
    SITE_URL,
    { ...UPSTREAM, Origin: 'https://agency.example', 'Sec-Fetch-Site': 'same-origin' },
  ],
  ['foreign', 'elsewhere', SITE_URL, { ...OWN, Origin: EVIL }],
  ['foreign', 'elsewhere, to a hidden Host', SITE_URL, { ...UPSTREAM, Origin: EVIL }],
  ['foreign', 'elsewhere, hidden', SITE_URL, { ...OWN, Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
  ['foreign', 'elsewhere, without an origin', SITE_URL, { ...OWN, 'Sec-Fetch-Site': 'cross-site' }],
  [
    'foreign',
    'a neighbour',
    SITE_URL,
    { ...OWN, Origin: 'https://shop.agency.example', 'Sec-Fetch-Site': 'same-site' },
  ],
  ['ours', 'the requested host', undefined, { Host: 'agency.example', Origin: 'https://agency.example' }],
  ['ours', 'the site', undefined, { ...UPSTREAM, Origin: SITE_URL, 'Sec-Fetch-Site': 'same-origin' }],
  ['unknown', 'any host, without Sec-Fetch-Site', undefined, { ...UPSTREAM, Origin: SITE_URL }],
  ['foreign', 'elsewhere', undefined, { ...UPSTREAM, Origin: EVIL, 'Sec-Fetch-Site': 'cross-site' }],
])('treats as “%s” a POST from %s, with SITE_URL %s', async (from, _, siteUrl, headers) => {
  const env = { SITE_URL: siteUrl, ALLOWED_ORIGINS: ['https://partner.example'] };
  const app = new Hono().post('/', (context) => context.json(readOrigin(context, env)));
  const response = await app.request('/', { method: 'POST', headers });
  expect(await response.json()).toMatchObject({ from });
});
