import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAddresses } from '#server/built-site.ts';
import { listIndexedPages, listPages, PUBLIC_SITE as build, PUBLIC_URL } from '../built-sites.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { readBuiltPage } from './read-built-page.ts';

let site: RunningSite;

beforeAll(async () => {
  site = await startSite({ build, env: { SITE_URL: PUBLIC_URL } });
});

afterAll(() => site.stop());

describe('every host answers with the headers that the server sends', () => {
  const paths = [...listAddresses(build).keys()];

  test.each(paths)('%s', async (path) => {
    const answer = await fetch(site.url + path);
    expect(answer.status).toBe(path === '/404' ? 404 : 200);
    const sent = ours(answer.headers);
    expect(headersFile(path)).toEqual(sent);
    expect(vercelFile(path)).toEqual(sent);
  });

  test('an address where there is nothing is as well protected', async () => {
    const answer = await fetch(`${site.url}/assets/nothing.js`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('content-security-policy')).toBe(headersFile('/nothing')['content-security-policy']);
  });

  test('no host is given more than it takes', () => {
    const lines = readFileSync(join(build, 'site/_headers'), 'utf8').split('\n');
    // Cloudflare Pages: 100 rules, 2,000 characters a line.
    expect(lines.filter((line) => line.startsWith('/')).length).toBeLessThanOrEqual(100);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(2000);
  });
});

/** Each rule of github.com/mdn/mdn-http-observatory, src/grader/charts.js, that gives or takes points. */
describe("what Mozilla's Observatory gives points for, and takes them", () => {
  let headers: Headers;
  let policy: Map<string, string[]>;

  beforeAll(async () => {
    ({ headers } = await fetch(site.url));
    const directives = headers.get('content-security-policy')!.split('; ');
    policy = new Map(directives.map((directive) => directive.split(' ')).map(([name, ...values]) => [name!, values]));
  });

  test('Content-Security-Policy can be parsed: each directive once, each value of a known form (−25)', () => {
    expect(policy.size).toBe(headers.get('content-security-policy')!.split('; ').length);
    const known = /^'(none|self|script|sha256-[\w+/]{43}=)'$|^https:\/\/[\w.*-]+$/;
    const values = [...policy.values()].flat();
    expect(values.length).toBeGreaterThan(policy.size);
    for (const value of values) expect(value).toMatch(known);
  });

  test("default-src is 'none', nothing is unsafe, forms go to this site (+10)", () => {
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\bdata:|\bblob:|\*/);
    expect(policy.get('form-action')).toEqual(["'self'"]);
  });

  test('scripts and objects come from this site only (−20)', () => {
    expect(policy.get('script-src')).toEqual(["'self'"]);
    expect(policy.has('object-src')).toBe(false);
  });

  test('styles come from this site, or are named by their hash (0 instead of +5)', () => {
    expect(policy.get('style-src')).toContain("'self'");
    for (const value of policy.get('style-src')!) expect(value).toMatch(/^'(self|sha256-.+)'$/);
  });

  test('nothing may be loaded in the clear (−20, pictures −10)', () => {
    expect(headers.get('content-security-policy')).not.toMatch(/http:|ws:/);
  });

  test('no cookie is set (−5 to −40 for one that is not secure)', () => {
    expect(headers.getSetCookie()).toEqual([]);
  });

  test('no other site may read with credentials (−50)', async () => {
    const answer = await fetch(site.url, { headers: { Origin: 'https://elsewhere.example.org' } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('answers do not redirect anywhere but to https, which is the host’s to do (−5 to −20)', async () => {
    for (const { path } of listIndexedPages(build)) {
      expect((await fetch(site.url + path, { redirect: 'manual' })).status).toBe(200);
    }
  });

  test('Referrer-Policy is private (+5)', () => {
    expect(headers.get('referrer-policy')).toMatch(
      /^(no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/,
    );
  });

  test('Strict-Transport-Security lasts, and leaves other subdomains of the owner alone (−20 without)', () => {
    const value = headers.get('strict-transport-security')!;
    expect(Number(/max-age=(\d+)/.exec(value)![1])).toBeGreaterThanOrEqual(31_536_000);
    expect(value).not.toMatch(/includeSubDomains|preload/);
  });

  test('every script is of this site (0)', () => {
    for (const { file } of listPages(build)) {
      const scripts = [...readBuiltPage(build, file).querySelectorAll('script[src]')];
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) {
        expect(script.getAttribute('src')).toMatch(/^\/assets\//);
      }
    }
  });

  test('X-Content-Type-Options is nosniff (−5)', () => {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('no page may frame this one, by frame-ancestors (+5) and by X-Frame-Options (−20)', () => {
    expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  test('Cross-Origin-Resource-Policy keeps other sites out (+10)', () => {
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });
});

test('beyond the scanner: scripts write no markup, pages stand alone, no device is offered', async () => {
  const { headers } = await fetch(site.url);
  expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp');
  for (const feature of ['camera', 'geolocation', 'microphone', 'payment', 'usb']) {
    expect(headers.get('permissions-policy')).toContain(`${feature}=()`);
  }
});

test('the pages behind the links of a mail are not indexed', async () => {
  const answer = await fetch(`${site.url}/newsletter/unsubscribe/not-a-token`);
  expect(answer.headers.get('x-robots-tag')).toBe('noindex');
  expect(await answer.text()).toContain('<meta name="robots" content="noindex"/>');
});

test('a page may be kept by the browser but is asked for again; a file with its hash in its name is not', async () => {
  const page = await fetch(site.url);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const script = readBuiltPage(build, 'index.html').querySelector('script[src]')!.getAttribute('src');
  expect((await fetch(site.url + script)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('a HEAD tells what a GET would', async () => {
  const get = await fetch(site.url);
  const head = await fetch(site.url, { method: 'HEAD' });
  for (const name of ['content-type', 'content-length', 'etag', 'content-security-policy', 'vary', 'cache-control']) {
    expect(get.headers.get(name)).not.toBeNull();
    expect(head.headers.get(name)).toBe(get.headers.get(name));
  }
});

test('fonts are preloaded, but not where that holds back the first paint: in a header or in the head', async () => {
  const { headers } = await fetch(site.url);
  expect(headers.get('link') ?? '').not.toContain('font');
  const home = readBuiltPage(build, 'index.html');
  expect(home.querySelector('head link[as="font"]')).toBeNull();
  expect(home.querySelector('body link[rel="preload"][as="font"]')).not.toBeNull();
});

test('the rules for fetching pages early are of the type that browsers ask for', async () => {
  const { headers } = await fetch(site.url);
  const rules = await fetch(site.url + JSON.parse(headers.get('speculation-rules')!));
  expect(rules.headers.get('content-type')).toBe('application/speculationrules+json');
  expect((await rules.json()).prefetch[0].where.href_matches.toSorted()).toEqual(
    listIndexedPages(build)
      .map(({ path }) => path)
      .toSorted(),
  );
});

/** Hosts add headers of their own; these are the ones that the site's module makes. */
const OURS = new Set([
  'cache-control',
  'content-security-policy',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'link',
  'permissions-policy',
  'referrer-policy',
  'speculation-rules',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
  'x-robots-tag',
]);

type Sent = Record<string, string>;

function ours(headers: Headers): Sent {
  return Object.fromEntries([...headers].filter(([name]) => OURS.has(name)));
}

function headersFile(path: string): Sent {
  const found = new Headers();
  let applies = false;
  for (const line of readFileSync(join(build, 'site/_headers'), 'utf8').split('\n')) {
    if (line.startsWith('/')) applies = line.endsWith('*') ? path.startsWith(line.slice(0, -1)) : path === line;
    // As Cloudflare and Netlify do: a header that two rules name is sent with both values.
    else if (applies && line) found.append(...(line.trim().split(/: (.*)/, 2) as [string, string]));
  }
  return ours(found);
}

function vercelFile(path: string): Sent {
  const { headers: rules } = JSON.parse(readFileSync(join(build, 'site/vercel.json'), 'utf8')) as {
    headers: { source: string; headers: { key: string; value: string }[] }[];
  };
  const found = new Headers();
  for (const { source, headers } of rules) {
    if (!new RegExp(`^${source.replaceAll('.', '\\.').replace('(\\.*)', '(.*)')}$`).test(path)) continue;
    for (const { key, value } of headers) found.append(key, value);
  }
  return ours(found);
}
