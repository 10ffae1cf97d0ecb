import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NEWSLETTER_PATH } from '#shared/sign-up-rules.ts';
import { readPage } from '../read-page.ts';
import { ask } from '../ask.ts';
import { PUBLIC_SITE, PUBLIC_URL } from '../built-sites.ts';
import { isUnmet } from '../machine-needs.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { hasProgram, startCaddy, startNginx } from './proxies.ts';

let site: RunningSite;
let port: string;

beforeAll(async () => {
  const env = { SITE_URL: PUBLIC_URL, TRUSTED_PROXY_HEADER: 'X-Forwarded-For' };
  site = await startSite({ build: PUBLIC_SITE, env });
  ({ port } = new URL(site.url));
});

afterAll(() => site.stop());

const isNginxMissing = isUnmet('nginx', !hasProgram('nginx'));
const isCaddyMissing = isUnmet('Caddy', !hasProgram('caddy'));

/** Configurations as in tutorials. All but the first pass the Host header. */
const PROXIES: [name: string, isMissing: boolean, start: () => Promise<string>][] = [
  ['nginx with only proxy_pass', isNginxMissing, () => startNginx(`proxy_pass http://localhost:${port};`)],
  [
    'nginx with the usual headers',
    isNginxMissing,
    () =>
      startNginx(
        `proxy_pass http://127.0.0.1:${port}; proxy_http_version 1.1;
        proxy_set_header Host $host; proxy_set_header X-Real-IP $remote_addr;
        proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade"; proxy_cache_bypass $http_upgrade;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto $scheme;`,
      ),
  ],
  [
    'nginx with an upstream and gzip',
    isNginxMissing,
    () =>
      startNginx(
        `proxy_pass http://site; proxy_http_version 1.1; proxy_set_header Connection "";
        proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr; proxy_redirect off;`,
        `upstream site { server 127.0.0.1:${port}; keepalive 8; }
        gzip on; gzip_proxied any; gzip_types text/plain text/css application/javascript image/svg+xml;`,
      ),
  ],
  ['Caddy', isCaddyMissing, () => startCaddy(`  reverse_proxy 127.0.0.1:${port}`)],
  [
    'Caddy with encode and a name',
    isCaddyMissing,
    () => startCaddy(`  encode zstd gzip\n  reverse_proxy localhost:${port} {\n    lb_try_duration 60s\n  }`),
  ],
];

describe.each(PROXIES)('behind %s', (name, isMissing, start) => {
  test.skipIf(isMissing)('pages, files and forms work as without a proxy', async () => {
    const url = await start();
    await expectPages(url);
    await expectFiles(url);
    await expectSignUp(url, name);
    expect(await postSlowly(url)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

/** Pages are compressed once, and each header has one value. */
async function expectPages(url: string): Promise<void> {
  const direct = await ask(site.url, { headers: { 'Accept-Encoding': 'br' } });
  for (const path of ['/', '/mark.png', '/robots.txt']) {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const response = await ask(url + path, { headers: { 'Accept-Encoding': encoding } });
      expect([path, response.status]).toEqual([path, 200]);
      expect(['identity', encoding]).toContain(response.headers['content-encoding'] ?? 'identity');
    }
  }
  const { headers } = await ask(url, { headers: { 'Accept-Encoding': 'br' } });
  expect(headers['content-encoding']).toBe('br');
  for (const header of ['content-security-policy', 'cross-origin-resource-policy', 'cache-control', 'vary', 'etag']) {
    expect([header, headers[header]]).toEqual([header, direct.headers[header]]);
  }
  const again = await ask(url, { headers: { 'If-None-Match': headers.etag, 'Accept-Encoding': 'br' } });
  expect(again.status).toBe(304);
}

/** HEAD, a range of a file, a redirect and a long header work as without a proxy. */
async function expectFiles(url: string): Promise<void> {
  const head = await ask(url, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  const part = await ask(`${url}/mark.png`, { headers: { Range: 'bytes=0-3' } });
  expect([part.status, part.text.length > 0]).toEqual([206, true]);
  const { status, headers } = await ask(`${url}/privacy-policy/?utm_source=card`);
  expect([status, new URL(headers.location!, url).pathname + new URL(headers.location!, url).search]).toEqual([
    301,
    '/privacy-policy?utm_source=card',
  ]);
  expect((await ask(`${url}/?${'x'.repeat(6000)}`)).status).toBe(200);
  expect((await ask(url, { headers: { Cookie: `a=${'x'.repeat(6000)}` } })).status).toBe(200);
}

/** A visitor without JavaScript signs up, even after a mistake. */
async function expectSignUp(url: string, name: string): Promise<void> {
  const email = `${name.replaceAll(/\W+/g, '-')}@example.org`;
  const post = (fields: Record<string, string>, Origin: string) => {
    const body = new URLSearchParams(fields).toString();
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': body.length };
    const own = { Host: new URL(PUBLIC_URL).host, 'X-Forwarded-For': '203.0.113.9', Origin, Accept: 'text/html' };
    return ask(url + NEWSLETTER_PATH, { body, headers: { ...type, ...own } });
  };
  const home = await ask(url);
  const consent = readPage(home.text).querySelector('[name="consent"]')!.getAttribute('value')!;
  const refused = await post({ email: 'no', source: 'Footer', consent }, PUBLIC_URL);
  expect(refused.status).toBe(400);
  const token = readPage(refused.text).querySelector('[name="token"]')!.getAttribute('value')!;
  const taken = await post({ email, source: 'Footer', consent, token }, 'null');
  expect([taken.status, new URL(taken.headers.location!, url).pathname]).toEqual([303, '/newsletter/joined/footer']);
  expect(site.signUps().map((each) => each.email)).toContain(email);
  const foreign = await post({ email: 'victim@example.org', source: 'Footer', consent }, 'https://evil.example');
  expect(foreign.status).toBe(403);
}

/** Sends a form one byte at a time. @returns the start of the response */
async function postSlowly(url: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const body = 'email=no&source=Footer';
  socket.write(`POST ${NEWSLETTER_PATH} HTTP/1.1\r\nHost: www.example.org\r\nContent-Length: ${body.length}\r\n`);
  socket.write('Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\n');
  for (const byte of body) {
    await new Promise((sent) => socket.write(byte, sent));
  }
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return String(answer);
}
