import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NEWSLETTER_PATH, NOTICES } from '#shared/newsletter.ts';
import { freshStore, signUp, startNewsletter } from './running-newsletter.ts';

async function statuses(count: number, call: (index: number) => Promise<Response>): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index += 1) all.push((await call(index)).status);
  return all;
}

test('a flood from one address is refused, with the time to wait', async () => {
  const { url, newsletter } = await startNewsletter(await freshStore('SQLite'));
  const all = await statuses(25, (index) => signUp(url, { email: `person${index}@example.org` }));
  expect(all).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
  const answer = await signUp(url);
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(30);
  expect(await answer.json()).toMatchObject({ status: 429, detail: NOTICES.tooMany.text });
  expect(await newsletter.store.db.selectFrom('subscribers').select('id').execute()).toHaveLength(20);
});

test('what a visitor writes into headers does not make them somebody else', async () => {
  const { url } = await startNewsletter(await freshStore('SQLite'));
  const all = await statuses(21, (index) =>
    signUp(
      url,
      {},
      {
        'X-Forwarded-For': `198.51.100.${index}`,
        'X-Real-IP': `198.51.100.${index}`,
        Forwarded: `for=198.51.100.${index}`,
      },
    ),
  );
  expect(all.at(-1)).toBe(429);
});

test('behind a proxy each visitor counts alone, by the entry that the proxy itself wrote', async () => {
  const { url } = await startNewsletter({ ...(await freshStore('SQLite')), TRUSTED_PROXY_HEADER: 'X-Forwarded-For' });
  const apart = await statuses(30, (index) => signUp(url, {}, { 'X-Forwarded-For': `198.51.100.${index}` }));
  expect(apart).toEqual(Array(30).fill(200));
  const forged = await statuses(21, (index) => signUp(url, {}, { 'X-Forwarded-For': `203.0.113.${index}, 192.0.2.7` }));
  expect(forged.at(-1)).toBe(429);
  const oneNetwork = await statuses(21, (index) =>
    signUp(url, {}, { 'X-Forwarded-For': `2001:db8:1:2::${index.toString(16)}` }),
  );
  expect(oneNetwork.at(-1)).toBe(429);
});

test("another site's page may post here only when it is allowed to", async () => {
  const { url, newsletter } = await startNewsletter({
    ...(await freshStore('SQLite')),
    SITE_URL: 'https://www.agency.example',
    ALLOWED_ORIGINS: 'https://landing.agency.example, https://partner.example',
  });
  const from = (origin: string) => signUp(url, { email: `of${origin.length}@example.org` }, { Origin: origin });
  expect((await from('https://evil.example')).status).toBe(403);
  expect((await from('null')).status).toBe(403);
  expect((await from('https://www.agency.example')).status).toBe(200);
  expect((await from(url)).status).toBe(403);
  const partner = await from('https://partner.example');
  expect(partner.status).toBe(200);
  expect(partner.headers.get('access-control-allow-origin')).toBe('https://partner.example');
  expect(await newsletter.store.db.selectFrom('subscribers').select('id').execute()).toHaveLength(2);

  const preflight = (origin: string) =>
    fetch(url + NEWSLETTER_PATH, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    });
  expect((await preflight('https://evil.example')).status).toBe(403);
  const allowed = await preflight('https://partner.example');
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-headers')).toBe('Content-Type');
});

/** Posts as the page of a site would whose name was made to resolve to this server; fetch may not set these headers. */
async function rebound(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const request = httpRequest(url + NEWSLETTER_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', 'Sec-Fetch-Site': 'same-origin', ...headers },
  });
  request.end(JSON.stringify({ email: 'anna@example.org', name: '', role: '', source: 'Footer' }));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test('with SITE_URL set, a page is not our own because it calls this server by its own name', async () => {
  const { url } = await startNewsletter({ ...(await freshStore('SQLite')), SITE_URL: 'https://www.agency.example' });
  expect(await rebound(url, { Host: 'evil.example', Origin: 'http://evil.example' })).toBe(403);
  expect(await rebound(url, { Host: 'evil.example', Origin: 'null' })).toBe(403);
  const own = { Host: 'www.agency.example', Origin: 'null' };
  expect(await rebound(url, own)).toBe(200);
  expect(await rebound(url, { ...own, 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
});

test('each refused origin is logged once', async () => {
  const running = await startNewsletter({ ...(await freshStore('SQLite')), SITE_URL: 'https://www.agency.example' });
  await statuses(3, () => signUp(running.url, {}, { Origin: 'https://agency.example' }));
  await signUp(running.url, {}, { Origin: `https://${'a'.repeat(10_000)}` });
  expect(running.log).toEqual([expect.stringContaining('403, a page of https://agency.example posted')]);
});

test('a visitor whose connection breaks amid a sign-up is no failure of the server', async () => {
  const running = await startNewsletter(await freshStore('SQLite'));
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' };
  const request = httpRequest(running.url + NEWSLETTER_PATH, { method: 'POST', agent: false, headers });
  request.write('{"email"', () => request.destroy());
  await expect(once(request, 'close')).rejects.toThrow('socket hang up');
  expect((await signUp(running.url)).status).toBe(200);
  expect(running.log).toEqual([]);
});

test('without SITE_URL a page of the host that was asked is our own', async () => {
  const { url } = await startNewsletter(await freshStore('SQLite'));
  expect((await signUp(url, {}, { Origin: url })).status).toBe(200);
  expect((await signUp(url, {}, { Origin: 'http://evil.example' })).status).toBe(403);
});

test('past the limit the store is asked nothing', async () => {
  const { url, newsletter } = await startNewsletter(await freshStore('SQLite'));
  await statuses(20, () => signUp(url));
  const asked = vi.spyOn(newsletter.store.db, 'selectFrom');
  const answer = await signUp(url, { consent: 'abcdef012345' });
  expect(answer.status).toBe(429);
  expect(asked).not.toHaveBeenCalledWith('consent_wordings');
});

test('past the limit a client is refused before its body has arrived', async () => {
  const { url } = await startNewsletter(await freshStore('SQLite'));
  await statuses(20, () => signUp(url));
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '8000' };
  const request = httpRequest(url + NEWSLETTER_PATH, { method: 'POST', agent: false, headers });
  onTestFinished(() => void request.destroy());
  request.flushHeaders();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(429);
});

test.each([
  ['Forwarded', (index: number) => `for=192.0.2.1;proto=https, for=198.51.100.${index};proto=https`],
  ['Forwarded', (index: number) => `for="[2001:db8:0:${index.toString(16)}::1]:4711"`],
  ['X-Client', (index: number) => `198.51.100.${index}:4711`],
  ['X-Client', (index: number) => `[2001:db8:0:${index.toString(16)}::1]:4711`],
])('a proxy may name the visitor in %s with a port, in brackets or in quotes', async (header, value) => {
  const { url } = await startNewsletter({ ...(await freshStore('SQLite')), TRUSTED_PROXY_HEADER: header });
  const all = await statuses(30, (index) => signUp(url, {}, { [header]: value(index) }));
  expect(all).toEqual(Array(30).fill(200));
});

test('a proxy that hides the visitor is logged once', async () => {
  const running = await startNewsletter({ ...(await freshStore('SQLite')), TRUSTED_PROXY_HEADER: 'Forwarded' });
  const all = await statuses(21, () => signUp(running.url, {}, { Forwarded: 'for=_hidden' }));
  expect(all.at(-1)).toBe(429);
  expect(running.log.filter((line) => line.includes('TRUSTED_PROXY_HEADER'))).toHaveLength(1);
});
