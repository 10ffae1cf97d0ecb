import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, constants } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listUrlPaths } from '#build/built-site.ts';
import { listIndexedPages, listPages, PUBLIC_SITE as build, PUBLIC_URL } from '../built-sites.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { readBuiltPage } from './read-built-page.ts';

let site: RunningSite;

beforeAll(async () => {
  site = await startSite({ build, env: { SITE_URL: PUBLIC_URL } });
});

afterAll(() => site.stop());

describe('every host sends the same headers as the server', () => {
  const paths = [...listUrlPaths(build).keys()];

  test.each(paths)('%s', async (path) => {
    const response = await fetch(site.url + path, { redirect: 'manual' });
    expect(response.status).toBe(path === '/404' ? 404 : 200);
    const sent = pickOurs(response.headers);
    expect(readHeadersFile(path)).toEqual(sent);
    expect(readVercelFile(path)).toEqual(sent);
  });

  test('protects an unknown path as well', async () => {
    const response = await fetch(`${site.url}/assets/nothing.js`);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('content-security-policy')).toBe(
      readHeadersFile('/nothing')['content-security-policy'],
    );
  });

  test.each(['/mark.png', '/updates/any.png'])(
    'sends exactly one value of the header that lets webmail show %s',
    (path) => {
      for (const sent of [readHeadersFile(path), readVercelFile(path)]) {
        expect(sent['cross-origin-resource-policy']).toBe('cross-origin');
      }
    },
  );
});

test('sets no cookie, and lets no other site read a response', async () => {
  const { headers } = await fetch(site.url, { headers: { Origin: 'https://elsewhere.example.org' } });
  expect(headers.getSetCookie()).toEqual([]);
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

/** Cloudflare obfuscates email addresses in links and text, but not in the head, unless the page tells it not to. */
test.each([...listPages(build).map(({ path }) => path), '/newsletter/joined/footer'])(
  'on %s Cloudflare leaves every email address alone',
  async (path) => {
    const html = await (await fetch(site.url + path)).text();
    const seen = html
      .replaceAll(/<!--email_off-->[^]*?<!--\/email_off-->/g, '')
      .replaceAll(/<(head|script|textarea|noscript)\b[^]*?<\/\1>/g, '');
    expect(html).toContain('mailto:');
    expect(seen).not.toMatch(/mailto:|\w@\w/);
  },
);

test('HEAD gets the headers of GET', async () => {
  const get = await fetch(site.url);
  const head = await fetch(site.url, { method: 'HEAD' });
  for (const name of ['content-type', 'content-length', 'etag', 'content-security-policy', 'vary', 'cache-control']) {
    expect(get.headers.get(name)).not.toBeNull();
    expect(head.headers.get(name)).toBe(get.headers.get(name));
  }
});

test('the first ten packets, including headers, contain the styles and the page up to its form', async () => {
  // Servers send ten packets of 1,460 bytes before the browser's first acknowledgement (RFC 6928).
  const page = await fetchBytes(`${site.url}/`);
  const headers = page.overWire - page.body.byteLength;
  const first = page.body.subarray(0, 10 * 1460 - headers);
  const html = brotliDecompressSync(first, { finishFlush: constants.BROTLI_OPERATION_FLUSH }).toString();
  expect(html).toMatch(/<section[^>]* id="founder"/);
});

test.each(listIndexedPages(build))('$path comes in few packets, including headers', async ({ path }) => {
  expect((await fetchBytes(site.url + path)).overWire).toBeLessThanOrEqual(12 * 1460);
});

test('fonts are preloaded, but not in a header or the head, which would delay the first paint', async () => {
  const { headers } = await fetch(site.url);
  expect(headers.get('link') ?? '').not.toContain('font');
  const home = readBuiltPage(build, 'index.html');
  expect(home.querySelector('head link[as="font"]')).toBeNull();
  expect(home.querySelector('body link[rel="preload"][as="font"]')).not.toBeNull();
});

/** Requests a page on its own connection. @returns the compressed body and the size of the whole response */
async function fetchBytes(url: string): Promise<{ body: Buffer; overWire: number }> {
  const asked = request(url, { agent: false, headers: { 'Accept-Encoding': 'br' } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await buffer(answer);
  return { body, overWire: answer.socket.bytesRead };
}

/** The headers that the site's code sets; hosts add others. */
const OURS = new Set([
  'cache-control',
  'content-security-policy',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'link',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
  'x-robots-tag',
]);

type Sent = Record<string, string>;

function pickOurs(headers: Headers): Sent {
  return Object.fromEntries([...headers].filter(([name]) => OURS.has(name)));
}

function readHeadersFile(path: string): Sent {
  const found = new Headers();
  let applies = false;
  for (const line of readFileSync(join(build, 'site/_headers'), 'utf8').split('\n')) {
    if (line.startsWith('/')) applies = line.endsWith('*') ? path.startsWith(line.slice(0, -1)) : path === line;
    // Like Cloudflare and Netlify: a header in two rules is sent with both values.
    else if (applies && line) found.append(...(line.trim().split(/: (.*)/, 2) as [string, string]));
  }
  return pickOurs(found);
}

function readVercelFile(path: string): Sent {
  const { headers: rules } = JSON.parse(readFileSync(join(build, 'site/vercel.json'), 'utf8')) as {
    headers: { source: string; headers: { key: string; value: string }[] }[];
  };
  const found = new Headers();
  for (const { source, headers } of rules) {
    if (!new RegExp(`^${source.replaceAll('.', '\\.').replace('(\\.*)', '(.*)')}$`).test(path)) continue;
    for (const { key, value } of headers) found.append(key, value);
  }
  return pickOurs(found);
}
