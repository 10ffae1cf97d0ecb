import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import tls from 'node:tls';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { listenOnFreePort } from '../../test/listen-on-free-port.ts';
import { checkLiveSite, type Expected } from './check-live-site.ts';

type HostResponse = { status?: number; headers?: Record<string, string>; body?: string };

/** A host with the faults that a test adds. */
let secure: Record<string, HostResponse>;
let insecure: HostResponse;
let origin: string;
let other: HostResponse;
let others: { insecure: string; otherHost: string };

const expected: Expected = { paths: ['/', '/policy'], headersFor: () => ({ 'X-Content-Type-Options': 'nosniff' }) };

beforeAll(async () => {
  const pem = readFileSync(new URL('../../test/localhost.pem', import.meta.url), 'utf8');
  const [key, cert] = ['PRIVATE KEY', 'CERTIFICATE'].map(
    (part) => new RegExp(`-----BEGIN ${part}-----[^-]+-----END ${part}-----`).exec(pem)![0],
  ) as [string, string];
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), cert]);
  const respond =
    (find: (path: string) => HostResponse): RequestListener =>
    (request, response) => {
      const { status = 200, headers = {}, body = '' } = find(request.url ?? '');
      response.writeHead(status, headers).end(body);
    };
  const findSecure = (path: string) => secure[path] ?? { status: 404 };
  const secureHost = await listenOnFreePort(createServer({ key, cert }, respond(findSecure)), 'localhost');
  const otherHost = await listenOnFreePort(
    createServer(
      { key, cert },
      respond(() => other),
    ),
    'localhost',
  );
  const insecureHost = await listenOnFreePort(createPlainServer(respond(() => insecure)), 'localhost');
  origin = `https://localhost:${secureHost.port}`;
  others = { insecure: `${insecureHost.url}/`, otherHost: `https://localhost:${otherHost.port}/` };
  return () => Promise.all([secureHost, otherHost, insecureHost].map(({ stop }) => stop()));
});

beforeEach(() => {
  secure = { '/': page('/'), '/policy': page('/policy') };
  other = { status: 308, headers: { Location: `${origin}/` } };
  insecure = { status: 301, headers: { Location: `${origin}/` } };
});

test('finds nothing wrong with a correct site', async () => {
  expect(await findings()).toEqual([]);
});

test.each<[string, () => void, () => string]>([
  [
    'a header is missing',
    () => delete secure['/policy']!.headers!['X-Content-Type-Options'],
    () => `${origin}/policy X-Content-Type-Options is missing`,
  ],
  [
    'a Cloudflare setting changes pages',
    () =>
      (secure['/policy']!.body +=
        '<script src="/cdn-cgi/scripts/7d0fa10a/cloudflare-static/rocket-loader.min.js"></script>'),
    () => `${origin}/policy Cloudflare’s Rocket Loader changes the page`,
  ],
  [
    'Cloudflare adds something else',
    () => (secure['/policy']!.body += '<script src="/cdn-cgi/new-thing.js"></script>'),
    () => `${origin}/policy Cloudflare changes the page: it adds /cdn-cgi/new-thing.js`,
  ],
  ['a page is missing', () => delete secure['/policy'], () => `${origin}/policy it responds with 404`],
  [
    'the canonical address is a different one',
    () => (secure['/policy'] = page('/other')),
    () => `${origin}/policy the canonical address is ${origin}/other`,
  ],
  [
    'search engines are asked not to list the site',
    () => (secure['/']!.headers!['X-Robots-Tag'] = 'noindex'),
    () => `${origin}/ search engines are asked not to list the site`,
  ],
  ['nothing redirects to TLS', () => (insecure = {}), () => `${others.insecure} it responds with 200`],
  [
    'the redirect leads to another host',
    () => (insecure.headers = { Location: 'https://elsewhere.example.org/' }),
    () => `${others.insecure} it responds with 301 to https://elsewhere.example.org/`,
  ],
  [
    'a second host shows the site too',
    () => (other = page('/')),
    () => `${others.otherHost} this address responds, but does not redirect to the site`,
  ],
  [
    'a page that doesn’t exist responds with 200',
    () => (secure['/there-is-no-such-page'] = page('/')),
    () => `${origin}/there-is-no-such-page a page that doesn’t exist responds with 200`,
  ],
])('%s', async (_, spoil, finding) => {
  spoil();
  expect(await findings()).toEqual([finding()]);
});

test.each<[string, () => void, RegExp, RegExp]>([
  [
    'the proxy asks over http and the server redirects to https, as with Cloudflare “Flexible”',
    () => (secure['/'] = { status: 301, headers: { Location: `${origin}/` } }),
    /^it redirects in a loop$/,
    /from Flexible to Full \(strict\)/,
  ],
  [
    'the redirect goes to http and back',
    () => {
      secure['/'] = { status: 302, headers: { Location: others.insecure } };
      insecure = { status: 301, headers: { Location: `${origin}/` } };
    },
    /^it redirects in a loop$/,
    /www/,
  ],
  [
    'the site sends visitors to another address',
    () => {
      secure['/'] = { status: 302, headers: { Location: others.insecure } };
      insecure = page('/');
    },
    /^it redirects to http:/,
    /set SITE_URL to it/,
  ],
  ['a password is asked for', () => (secure['/'] = { status: 401 }), /^it responds with 401$/, /password/],
  ['the proxy reaches no server', () => (secure['/'] = { status: 502 }), /^it responds with 502$/, /Start the site/],
  [
    'another page is shown',
    () => (secure['/'] = { body: '<!doctype html><title>Welcome to nginx!</title>' }),
    /^another page is shown, “Welcome to nginx!”$/,
    /Deploy the site there/,
  ],
])('reports only the cause if %s', async (_, spoil, problem, advice) => {
  spoil();
  expect(await checkLiveSite(origin, expected, others)).toEqual([
    { where: origin, problem: expect.stringMatching(problem), advice: expect.stringMatching(advice) },
  ]);
});

test('explains a missing response and an untrusted certificate', async () => {
  const [closed] = await checkLiveSite('https://localhost:1', expected, others);
  expect(closed).toMatchObject({
    problem: expect.stringContaining('this machine got no answer'),
    advice: expect.stringContaining('If the site opens on your phone, it is up'),
  });
  // The certificate is valid only for localhost.
  const [untrusted] = await checkLiveSite(origin.replace('localhost', '127.0.0.1'), expected, others);
  expect(untrusted!.problem).toMatch(/no answer.*certificate/);
});

function page(path: string): HostResponse {
  return {
    headers: { 'Content-Type': 'text/html', 'X-Content-Type-Options': 'nosniff' },
    body: `<!doctype html><title>A page</title><link rel="canonical" href="${origin}${path}">`,
  };
}

async function findings(): Promise<string[]> {
  const found = await checkLiveSite(origin, expected, others);
  for (const { advice } of found) expect(advice).toMatch(/\w+/);
  return found.map(({ where, problem }) => `${where} ${problem}`);
}
