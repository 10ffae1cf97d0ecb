import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { saveOwnerValues } from '#newsletter/owner-settings/settings-store.ts';
import { PUBLIC_SITE, PUBLIC_URL, TEST_SITE } from '../built-sites.ts';
import { freePort } from '../free-port.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { makeDeskLink } from '../sign-in.ts';
import { startBuiltServer } from './setup/built-server.ts';
import { freshStore, isMissing, openPlace, type Place, waitUntil } from './setup/running-newsletter.ts';
import {
  askForLink,
  type Asked,
  CLARA,
  type Desk,
  isIn,
  readLinks,
  signIn,
  startDesk,
} from './setup/signed-in-desk.ts';
import { takeStoreAway } from './setup/take-store-away.ts';

/** A desk that the file's tests share; each has its own owner and client IP. */
let shared: { place: Place; running: ServerProcess } | undefined;

afterAll(async () => {
  await shared?.running.kill();
  if (shared) rmSync(shared.place.DATA_DIR, { recursive: true });
});

async function openDesk(): Promise<Desk> {
  if (shared === undefined) {
    const place = { DATA_DIR: mkdtempSync(join(tmpdir(), 'sign-in-')) };
    shared = { place, running: await startServer(TEST_SITE, { ...place, TRUSTED_PROXY_HEADER: 'X-Client' }) };
  }
  return signIn(shared.place, shared.running, {});
}

test('accepts a link after a scanner opened it with HEAD and GET, and pressed its button in another browser', async () => {
  const desk = await openDesk();
  const asking = await askForLink(desk);
  const link = (await readLinks(desk, 1))[0]!.link;
  expect((await desk.ask({ path: link, method: 'HEAD' })).status).toBe(200);
  const opened = await desk.ask({ path: link });
  expect(await opened.text()).toContain('Nearly there');
  const pressed = await desk.ask({ path: link, body: {} });
  expect([pressed.status, pressed.headers.get('Set-Cookie')]).toEqual([303, null]);
  expect(await (await desk.ask({ path: link, headers: { Cookie: asking } })).text()).toContain('Welcome to your desk');
  const signedIn = await desk.ask({ path: link, body: {}, headers: { Cookie: asking } });
  const Cookie = signedIn.headers.get('Set-Cookie')!.split(';', 1)[0]!;
  expect(await isIn(desk, { Cookie })).toBe(true);

  // The second tab, and later visits.
  const again = await desk.ask({ path: link, body: {}, headers: { Cookie: `${Cookie}; ${asking}` } });
  expect(again.headers.get('Location')).toBe(link);
  const landed = await desk.ask({ path: link, headers: { Cookie: `${Cookie}; ${asking}` } });
  expect([landed.status, landed.headers.get('Location')]).toEqual([303, '/desk']);
  const old = await desk.ask({ path: link });
  expect(await old.text()).toContain('This link no longer works');
});

test('accepts a code in the browser that asked for it, and leads only to a page of the desk', async () => {
  const desk = await openDesk();
  const Cookie = await askForLink(desk);
  const type = (code: string) =>
    desk.ask({ path: '/desk/sign-in/code', body: { code, to: '//x.example' }, headers: { Cookie } });
  const [first] = await readLinks(desk, 1);
  const wrong = await type('BBBB BBBB');
  expect(await (await desk.ask({ path: wrong.headers.get('Location')! })).text()).toContain('This code doesn’t work');
  const right = await type(first!.code);
  expect([right.status, right.headers.get('Location')]).toEqual([303, '/desk']);
});

test('gives every address the same response, and emails only one that may sign in', async () => {
  const desk = await openDesk();
  const describe = async (email: string) => {
    const { status, headers } = await desk.ask({ path: '/desk/sign-in', body: { email } });
    return [status, headers.get('Location'), [...headers.keys()]];
  };
  const known = await describe(CLARA);
  expect(await describe('stranger@example.org')).toEqual(known);
  expect(await describe('nonsense')).toEqual(known);
  await readLinks(desk, 1);
});

test('limits each client to five emails, then one every three minutes, identifying it by the proxy’s header', async () => {
  const desk = await openDesk();
  for (let count = 0; count < 12; count += 1) await askForLink(desk, { 'X-Client': '192.0.2.1' });
  await readLinks(desk, 5);
  const waiting = await desk.ask({
    path: '/desk/sign-in',
    body: { email: CLARA },
    headers: { 'X-Client': '192.0.2.1' },
  });
  expect(await (await desk.ask({ path: waiting.headers.get('Location')! })).text()).toContain(
    'ask for the next one in 3 minutes',
  );
  await askForLink(desk, { 'X-Client': '192.0.2.2' });
  await readLinks(desk, 6);
});

test('keeps a session when its browser’s IP changes, rejects a made-up cookie, and ends the previous session on sign-in', async () => {
  const desk = await openDesk();
  expect(await isIn(desk, { ...desk.owner, 'X-Client': '198.51.100.7' })).toBe(true);
  const [name] = desk.owner.Cookie.split('=', 1);
  const planted = { Cookie: `${name}=${'x'.repeat(43)}` };
  expect(await isIn(desk, planted)).toBe(false);
  const link = new URL(await makeDeskLink({ url: desk.url, dataDir: desk.DATA_DIR })).pathname;
  const next = await desk.ask({ path: link, body: {}, headers: desk.owner });
  expect(next.headers.get('Set-Cookie')).not.toContain('x'.repeat(43));
  expect(await isIn(desk, desk.owner)).toBe(false);
});

test('sends a signed-out owner to sign-in and back, and rejects drafts, forms and strangers’ uploads with 401', async () => {
  const desk = await openDesk();
  const page = await desk.ask({ path: '/desk/people?page=2' });
  expect([page.status, page.headers.get('Location')]).toEqual([303, '/desk/sign-in?to=%2Fdesk%2Fpeople%3Fpage%3D2']);
  for (const path of ['/desk/updates/write/new/draft', '/desk/settings', '/desk/people/import']) {
    const refused = await desk.ask({ path, body: { action: 'add-person', person: 'stranger@example.org' } });
    expect([path, refused.status]).toEqual([path, 401]);
  }
  expect(await (await desk.ask({ path: '/desk/settings', headers: desk.owner })).text()).not.toContain('stranger@');
  const long = await desk.ask({ path: '/desk/sign-in', body: { email: 'x'.repeat(20_000) } });
  expect([long.status, await long.text()]).toEqual([413, expect.stringContaining('too long')]);
  const damaged = await desk.ask({
    path: '/desk/sign-in',
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data' },
  });
  expect([damaged.status, await damaged.text()]).toEqual([400, expect.stringContaining('arrived incomplete')]);
  // Requests that fetch can't make don't end the desk.
  const odd = request(`${desk.url}/desk`, { method: 'TRACE' }).end();
  const [{ statusCode }] = (await once(odd, 'response')) as [IncomingMessage];
  expect([statusCode, desk.running.output.join()]).toEqual([400, expect.not.stringContaining('thread ended')]);
});

test('leads only to pages of the desk after sign-in, and rejects other sites’ requests with 403, even with the owner’s cookie', async () => {
  const desk = await openDesk();
  const elsewhere = [
    '//x.example',
    '/\\x.example',
    'https://x.example',
    '/desk/../x',
    'javascript:alert(1)',
    '/desk.x',
    '',
  ];
  for (const to of elsewhere) {
    const path = `/desk/sign-in?${String(new URLSearchParams({ to }))}`;
    const { status, headers } = await desk.ask({ path, headers: desk.owner });
    expect([to, status, headers.get('Location')]).toEqual([to, 303, '/desk']);
  }
  const kinds = ['application/x-www-form-urlencoded', 'application/json', 'text/plain', 'text/csv'];
  // Another site, a subdomain, another port, a page that hides its origin.
  for (const Origin of ['https://attacker.example', 'http://sub.127.0.0.1', 'http://127.0.0.1:9', 'null']) {
    for (const [index, path] of ['/settings', '/sign-out', '/sign-in', '/sign-in/passkey/challenge'].entries()) {
      const headers = { ...desk.owner, Origin, 'Content-Type': kinds[index]! };
      const refused = await desk.ask({ path: `/desk${path}`, body: { action: 'sign-out-everywhere' }, headers });
      expect([Origin, path, refused.status]).toEqual([Origin, path, 403]);
    }
  }
  expect(await isIn(desk, desk.owner)).toBe(true);
});

test('lets scripts on visitors’ pages, which share the origin, neither read the desk nor change anything', async () => {
  const desk = await openDesk();
  const page = await (await desk.ask({ path: '/desk/settings', headers: desk.owner })).text();
  const key = /name="page-key" value="([\w-]+)"/.exec(page)![1]!;
  const getStatus = async (dest: string, asked: Asked) =>
    (await desk.ask({ ...asked, headers: { ...desk.owner, ...asked.headers, 'Sec-Fetch-Dest': dest } })).status;
  const secret = { path: '/desk/backup/signing-secret' };
  for (const dest of ['empty', 'iframe', 'object', 'embed'])
    expect([dest, await getStatus(dest, secret)]).toEqual([dest, 403]);
  expect(await getStatus('document', secret)).toBe(200);
  // A form that a tag sends from a page that it renamed has every header that the desk's own form has.
  const body = { action: 'add-person', person: 'stranger@example.org' };
  const from = { Referer: `${desk.url}/desk/settings` };
  expect(await getStatus('document', { path: '/desk/settings', body, headers: from })).toBe(403);
  expect(await getStatus('empty', { path: '/desk/settings', body: { ...body, 'page-key': 'x' } })).toBe(403);
  expect(await getStatus('document', { path: '/desk/settings', body: { ...body, 'page-key': key } })).toBe(303);
  expect(await getStatus('empty', { path: '/desk', headers: { 'Desk-Page-Key': key } })).toBe(200);
});

test('makes the cookie host-only and secure behind TLS, redirects other names to SITE_URL, and reports a form sent over http', async () => {
  const desk = await startDesk(await freshStore(), { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }, PUBLIC_URL);
  // Email is broken, but the link from the terminal works.
  expect(await isIn(desk, desk.owner)).toBe(true);
  const link = new URL(await makeDeskLink({ url: desk.url, dataDir: desk.DATA_DIR })).pathname;
  const { headers } = await desk.ask({ path: link, body: {} });
  expect(headers.get('Set-Cookie')).toMatch(
    /^__Host-desk-session=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(headers.get('Strict-Transport-Security')).toBe('max-age=63072000');
  const byHttp = await desk.ask({ path: '/desk/sign-in', body: {}, headers: { Origin: 'http://www.example.org' } });
  expect([byHttp.status, await byHttp.text()]).toEqual([403, expect.stringContaining(`Open ${PUBLIC_URL}/desk`)]);
  const elsewhere = get(`${desk.url}/desk/people?page=2`, { headers: { Host: 'example.org' } });
  const [{ statusCode, headers: sent }] = (await once(elsewhere, 'response')) as [IncomingMessage];
  expect([statusCode, sent.location]).toEqual([302, `${PUBLIC_URL}/desk/people?page=2`]);
});

test('keeps every page of the desk out of caches, search engines and lists for crawlers, and runs only its own scripts', async () => {
  const desk = await openDesk();
  for (const path of ['/desk', '/desk/sign-in', '/desk/people', '/desk/desk.css', '/desk/nowhere']) {
    const { headers } = await desk.ask({ path });
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/),
    });
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  }
  const script = await desk.ask({ path: '/desk/desk.js' });
  expect(script.headers.get('content-type')).toContain('text/javascript');
  expect(await script.text(), 'drafts, previews and passkeys').toMatch(/data-draft.*followDraft.*PublicKeyCredential/s);
  for (const path of ['/', '/robots.txt', '/sitemap.xml', '/llms.txt']) {
    expect(await (await desk.ask({ path })).text()).not.toContain('/desk');
  }
});

test.skipIf(isMissing('PostgreSQL'))('shares sessions and people between servers on one PostgreSQL', async () => {
  const place = { ...(await freshStore('PostgreSQL')), SIGNING_SECRET: 'a secret of two servers, in the tests' };
  const one = await startDesk(place);
  const other = await startBuiltServer({ ...place, DATA_DIR: (await freshStore()).DATA_DIR });
  // Behind one SITE_URL, the cookie's name contains no port.
  const Cookie = one.owner.Cookie.replace(/\d+=/, `${new URL(other.url).port}=`);
  const isInAtOther = async () =>
    (await fetch(`${other.url}/desk`, { headers: { Cookie }, redirect: 'manual' })).status === 200;
  // Its desk may still be starting.
  await waitUntil(async () => expect(await isInAtOther()).toBe(true));
  // Somebody may sign in, so it prints no link.
  await waitUntil(() => expect(other.output.join('\n')).toMatch(/^Desk: +http:\/\/[\d.:]+\/desk$/m));
  const { ask } = one;
  await ask({ path: '/desk/settings', body: { action: 'add-person', person: 'max@example.org' }, headers: one.owner });
  await ask({ path: '/desk/settings', body: { action: 'remove-person', email: CLARA }, headers: one.owner });
  expect(await isInAtOther()).toBe(false);
});

test.skipIf(isMissing('PostgreSQL'))(
  'says that the database is unavailable and that nothing typed is lost, and tries again by itself',
  async () => {
    const desk = await startDesk(await freshStore('PostgreSQL'));
    const headers = desk.owner;
    const bringBack = await takeStoreAway(desk);
    const page = await desk.ask({ path: '/desk/website', headers });
    expect([page.status, page.headers.get('Refresh')]).toEqual([503, '5']);
    expect(await page.text()).toMatch(/^Your desk can’t reach its database\. .+DATABASE_URL: PostgreSQL at /);
    const draft = await desk.ask({ path: '/desk/website-draft/first-screen', headers, body: { draft: '{}' } });
    expect([draft.status, await draft.text()]).toEqual([503, expect.stringContaining('is still in this browser')]);
    await bringBack();
    await waitUntil(async () => expect(await isIn(desk, headers)).toBe(true));
  },
);

test('says which domain a passkey was made for', async () => {
  const desk = await openDesk();
  const store = await openPlace(desk);
  const passkey = { id: 'x', email: CLARA, name: 'Safari on a Mac', public_key: '', counter: 0, used_at: null };
  await store.db
    .insertInto('desk_passkeys')
    .values({ ...passkey, rp_id: 'old.example' })
    .execute();
  const settings = await (await desk.ask({ path: '/desk/settings', headers: desk.owner })).text();
  expect(settings).toContain('made for old.example');
});

test('sends notices and the weekly email to the first person’s address', async () => {
  const { ask, owner } = await openDesk();
  const readNotices = async () =>
    / id="NOTIFY_TO"[^>]*value="([^"]*)"/.exec(
      await (await ask({ path: '/desk/settings', headers: owner })).text(),
    )?.[1];
  expect(await readNotices()).toBe(CLARA);
});

test('prints a link for the first sign-in, and the mail account that was set on the desk', async () => {
  const { output } = (await openDesk()).running;
  const localLink = /^Desk: +http:\/\/127\.0\.0\.1:\d+\/desk\/sign-in\/[\w-]{43}$/m;
  await waitUntil(() => expect(output.join('\n')).toMatch(localLink));
  const place = { ...(await freshStore()), SIGNING_SECRET: 'a secret of the tests, long enough for it' };
  await saveOwnerValues(await openPlace(place), place.SIGNING_SECRET, { SMTP_URL: 'smtp://127.0.0.1:1' }, Date.now());
  const running = await startServer(PUBLIC_SITE, { ...place, SITE_URL: PUBLIC_URL });
  onTestFinished(running.kill);
  const said = () => running.output.join('\n');
  await waitUntil(() => expect(said()).toMatch(/^Mail: +127\.0\.0\.1:1 \(SMTP_URL\)$/m));
  await waitUntil(() => expect(said()).toMatch(/^Desk: +https:\/\/www\.example\.org\/desk\/sign-in\/[\w-]{43}$/m));
});
