import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { HonoRequest } from 'hono/request';
import { expect, test, vi } from 'vitest';
import { NEWSLETTER_PATH, NOTICES } from '#shared/sign-up-rules.ts';
import { ask } from '../../ask.ts';
import { signUp, startNewsletter, waitUntil } from '../setup/running-newsletter.ts';

async function statuses(count: number, call: (index: number) => Promise<Response>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => call(index)));
  return answers.map(({ status }) => status).toSorted();
}

test('rejects a flood from one IP address, whatever its headers claim, and says how long to wait', async () => {
  const { url, people } = await startNewsletter();
  const all = await statuses(25, (index) => {
    const other = `198.51.100.${index}`;
    const headers = { 'X-Forwarded-For': other, 'X-Real-IP': other, Forwarded: `for=${other}` };
    return signUp(url, { email: `person${index}@example.org` }, headers);
  });
  expect(all).toEqual([...Array(20).fill(200), ...Array(5).fill(429)]);
  const response = await signUp(url);
  const seconds = Number(response.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(30);
  expect(await response.json()).toMatchObject({ status: 429, detail: NOTICES.tooMany.text });
  expect(await people()).toHaveLength(20);

  // Without scripts, the response is the form again, filled in.
  const body = new URLSearchParams({ source: 'Footer', email: 'late@example.org' });
  const page = await fetch(url + NEWSLETTER_PATH, { method: 'POST', body, headers: { Accept: 'text/html' } });
  expect(page.status).toBe(429);
  const html = await page.text();
  for (const text of [NOTICES.tooMany.text, 'value="late@example.org"']) expect(html).toContain(text);
});

test('gives each visitor behind a proxy their own limit, and logs a proxy that hides them once', async () => {
  const { url, log } = await startNewsletter({ TRUSTED_PROXY_HEADER: 'X-Forwarded-For' });
  const apart = await statuses(21, (index) => signUp(url, {}, { 'X-Forwarded-For': `198.51.100.${index}` }));
  expect(apart).toEqual(Array(21).fill(200));
  const hidden = await statuses(21, () => signUp(url, {}, { 'X-Forwarded-For': '_hidden' }));
  expect(hidden.at(-1)).toBe(429);
  expect(log.filter((line) => line.includes('TRUSTED_PROXY_HEADER'))).toHaveLength(1);
});

test("lets another site's page post only if it is allowed to, and logs each rejected site once", async () => {
  const { url, people, log } = await startNewsletter({
    SITE_URL: 'https://www.agency.example',
    ALLOWED_ORIGINS: 'https://landing.agency.example, https://partner.example',
  });
  const from = (Origin: string) => signUp(url, { email: `of${Origin.length}@example.org` }, { Origin });
  for (const origin of ['https://evil.example', 'https://evil.example', 'null', url, `https://${'a'.repeat(10_000)}`]) {
    expect((await from(origin)).status).toBe(403);
  }
  expect(log.filter((line) => line.includes('403, sent from a page of https://evil.example'))).toHaveLength(1);
  expect(log.join('\n')).not.toContain('aaa');
  expect((await from('https://www.agency.example')).status).toBe(200);
  const partner = await from('https://partner.example');
  expect(partner.status).toBe(200);
  expect(partner.headers.get('access-control-allow-origin')).toBe('https://partner.example');
  expect(await people()).toHaveLength(2);

  const asks = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' };
  const preflight = (Origin: string) =>
    fetch(url + NEWSLETTER_PATH, { method: 'OPTIONS', headers: { Origin, ...asks } });
  const refused = await preflight('https://evil.example');
  expect(refused.headers.get('access-control-allow-origin')).toBeNull();
  const allowed = await preflight('https://partner.example');
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-headers')).toBe('Content-Type');
});

test('rejects a client over the limit before its body arrives, without querying the store', async () => {
  const { url, store } = await startNewsletter();
  await statuses(20, () => signUp(url));
  const asked = vi.spyOn(store.db, 'selectFrom');
  expect((await signUp(url, { consent: 'abcdef012345' })).status).toBe(429);
  expect(asked).not.toHaveBeenCalledWith('consent_wordings');
  // None of it is sent.
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '8000' };
  expect(await ask(url + NEWSLETTER_PATH, { method: 'POST', headers })).toMatchObject({ status: 429 });
});

test('doesn’t log a connection that is lost during a sign-up as a failure', async () => {
  const running = await startNewsletter();
  const reading = vi.spyOn(HonoRequest.prototype, 'arrayBuffer');
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' };
  const request = httpRequest(running.url + NEWSLETTER_PATH, { method: 'POST', agent: false, headers });
  request.write('{"email"', () => request.destroy());
  await expect(once(request, 'close')).rejects.toThrow('socket hang up');
  await waitUntil(() => expect(reading.mock.settledResults[0]?.type).toBe('rejected'));
  expect((await signUp(running.url)).status).toBe(200);
  expect(running.log).toEqual([]);
});
