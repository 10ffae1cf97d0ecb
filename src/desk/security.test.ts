import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { guardDesk } from './security.ts';

const TOKEN = 'printed-token';
const KEYS = { csrf: 'csrf-token', picturesKey: 'pictures-key' };
const HOST = '127.0.0.1:4300';

/** A guarded desk and its answers. */
function startGuarded() {
  const app = new Hono().use(guardDesk(KEYS, { token: TOKEN, onUse: () => undefined }));
  app.all('*', ({ text }) => text('let in'));
  return (path: string, headers: Record<string, string> = {}, form?: Record<string, string>) => {
    const host = headers.Host ?? HOST;
    const sent = form && { method: 'POST', body: new URLSearchParams(form) };
    return app.request(`http://${host}${path}`, { headers: { Host: host, ...headers }, ...sent });
  };
}

type Ask = ReturnType<typeof startGuarded>;

/** Opens the printed URL. @returns its cookie */
async function signIn(ask: Ask): Promise<string> {
  const { headers } = await ask(`/?token=${TOKEN}`);
  return headers.get('set-cookie')!.split(';', 1)[0]!;
}

test('the printed URL sets a cookie named for its port, and its token is removed from the URL', async () => {
  const answer = await startGuarded()(`/?token=${TOKEN}`);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('/');
  // Browsers send a cookie to every port of a host: two desks may be open.
  expect(answer.headers.get('set-cookie')).toMatch(/^desk-session-4300=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
});

test('without its token or the cookie nothing opens, and the token works once', async () => {
  const ask = startGuarded();
  for (const path of ['/', '/people', '/?token=another-token', '/pictures/another-key/chart.png']) {
    expect([path, (await ask(path)).status]).toEqual([path, 403]);
  }
  const cookie = await signIn(ask);
  expect((await ask(`/?token=${TOKEN}`)).status).toBe(403);
  expect(await (await ask('/people', { Cookie: cookie })).text()).toBe('let in');
});

test('a preview, which has no cookie, loads its pictures by their key, which opens nothing else', async () => {
  const ask = startGuarded();
  const path = `/pictures/${KEYS.picturesKey}/chart.png`;
  expect((await ask(path)).status).toBe(200);
  expect((await ask(path, { Origin: `http://${HOST}` }, { csrf: KEYS.csrf })).status).toBe(403);
});

test.each([
  ['127.0.0.1:4300', 303],
  ['localhost:9999', 303],
  ['[::1]:80', 303],
  ['localhost', 303],
  ['desk.attacker.example', 403],
  ['127.0.0.1.attacker.example', 403],
])('a name of this machine opens the desk at any port, which a tunnel may change: %s, %i', async (Host, status) => {
  expect((await startGuarded()(`/?token=${TOKEN}`, { Host })).status).toBe(status);
});

const OWN = { Origin: `http://${HOST}` };

test.each([
  ['the desk’s own', OWN, { csrf: KEYS.csrf }, 200],
  ['of another site', { Origin: 'https://attacker.example' }, { csrf: KEYS.csrf }, 403],
  ['of another port of this machine', { Origin: 'http://127.0.0.1:9999' }, { csrf: KEYS.csrf }, 403],
  ['of another name of this machine', { Origin: 'http://localhost:4300' }, { csrf: KEYS.csrf }, 403],
  ['of a hidden origin', { Origin: 'null' }, { csrf: KEYS.csrf }, 403],
  ['without an origin', {}, { csrf: KEYS.csrf }, 403],
  ['without the desk’s token', OWN, {}, 403],
  ['with a wrong token', OWN, { csrf: 'another-token' }, 403],
])('a form %s', async (_, headers: Record<string, string>, form: Record<string, string>, status) => {
  const ask = startGuarded();
  const Cookie = await signIn(ask);
  expect((await ask('/backup', { Cookie, ...headers }, form)).status).toBe(status);
});

test('each answer forbids frames, storing, foreign scripts and referrers elsewhere', async () => {
  const { headers } = await startGuarded()('/');
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringMatching(/default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/),
  });
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
});
