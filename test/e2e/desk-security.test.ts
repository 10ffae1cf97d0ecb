import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ask } from '../ask.ts';
import { listen } from '../listen.ts';
import { startSite } from '../running-site.ts';
import { seedList } from './desk-list.ts';
import { type RunningDesk, startDesk } from './running-desk.ts';

/** Every address of the desk. */
const PATHS = [
  '/people',
  '/people/import',
  '/people/export',
  '/people/leaving',
  '/people/00000000-0000-7000-8000-000000000000',
  '/deliveries',
  '/updates',
  '/updates/write/_new',
  '/updates/write/2026-12-salaries',
  '/updates/sent/00000000-0000-7000-8000-000000000000',
  '/launch',
  '/backup',
  '/backup/files/backup-2026-11-23T09-30-00.db',
  '/backup/signing-secret',
  '/desk.css',
  '/desk.js',
  '/desk',
  '/pictures/key/chart.png',
];

let desk: RunningDesk;
let folder: string;
let cookie: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-security-'));
  await seedList(folder, 20);
  desk = await startDesk({ DATA_DIR: folder });
});
test.afterAll(async () => {
  await desk.stop();
  rmSync(folder, { recursive: true });
});

const askDesk = (path: string, headers: Record<string, string>, body?: string) =>
  ask(desk.url + path, { headers, body });

test.describe.configure({ mode: 'serial' });

test('without its token nothing opens; with it a cookie is given and the token leaves the address', async () => {
  for (const path of ['/', '/people', '/?token=AAAAAAAAAAAAAAAAAAAAAA']) {
    expect(await askDesk(path, {})).toMatchObject({ status: 403 });
  }
  const token = new URL(desk.address).searchParams.get('token')!;
  expect(Buffer.from(token, 'base64url')).toHaveLength(16);
  const { status, headers } = await askDesk(`/?token=${token}`, {});
  expect({ status, location: headers.location }).toEqual({ status: 303, location: '/' });
  const [given] = headers['set-cookie'] as [string];
  expect(given).toMatch(/^desk-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  cookie = given.split(';', 1)[0]!;
  expect(await askDesk('/', { Cookie: cookie })).toMatchObject({ status: 200 });
});

test('a token that was used opens nothing again', async () => {
  expect(await askDesk(new URL(desk.address).search, {})).toMatchObject({ status: 403 });
});

test('a name that is not of this machine is refused; a tunnel may change the port', async () => {
  for (const host of [
    'desk.attacker.example',
    `desk.attacker.example:4300`,
    '127.0.0.1.attacker.example',
    '10.0.0.1',
  ]) {
    expect(await askDesk('/', { Cookie: cookie, Host: host })).toMatchObject({ status: 403 });
  }
  for (const host of ['localhost:9999', '127.0.0.1:4300', '[::1]:80']) {
    expect(await askDesk('/', { Cookie: cookie, Host: host })).toMatchObject({ status: 200 });
  }
});

test('a form of another origin, without an origin, or without the desk’s own mark changes nothing', async () => {
  const form = { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' };
  const { text } = await askDesk('/people', { Cookie: cookie });
  const [, id] = /href="\/people\/([0-9a-f-]{36})"/.exec(text)!;
  const [, csrf] = /name="csrf" value="([\w-]+)"/.exec((await askDesk(`/people/${id}`, { Cookie: cookie })).text)!;
  const path = `/people/${id}`;
  const own = desk.url;
  const body = `act=unsubscribe&csrf=${csrf}`;
  for (const [headers, sent] of [
    [{ Origin: 'https://attacker.example' }, body],
    [{ Origin: 'null' }, body],
    [{}, body],
    [{ Origin: own.replace('127.0.0.1', 'localhost') }, body],
    [{ Origin: own }, 'act=unsubscribe'],
    [{ Origin: own }, 'act=unsubscribe&csrf=AAAAAAAAAAAAAAAAAAAAAA'],
  ] as [Record<string, string>, string][]) {
    expect(await askDesk(path, { ...form, ...headers }, sent)).toMatchObject({ status: 403 });
  }
  // A GET with a form's fields changes nothing either.
  expect((await askDesk(`${path}?${body}`, { Cookie: cookie })).text).toContain('Subscribed');
  expect((await askDesk(path, { Cookie: cookie })).text).toContain('Subscribed');
  expect(await askDesk(path, { ...form, Origin: own }, body)).toMatchObject({ status: 303 });
});

test('a body that is no form is refused in words', async () => {
  const headers = { Cookie: cookie, Origin: desk.url, 'Content-Type': 'multipart/form-data; boundary=x' };
  const { status, text } = await askDesk('/backup', headers, 'rubbish');
  expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('That did not work') });
});

test('a page of another origin cannot post a form with the owner’s cookie, nor frame the desk', async ({ page }) => {
  const another = await startDesk({ DATA_DIR: folder });
  const attackersPage = `<form method="post" action="${another.url}/backup"><button>Win</button></form><iframe src="${another.url}/"></iframe>`;
  const attacker = await listen(
    createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(attackersPage)),
  );
  try {
    await page.goto(another.address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto(`http://localhost:${attacker.port}/`);
    const answered = page.waitForResponse(`${another.url}/backup`);
    await page.getByRole('button', { name: 'Win' }).click();
    expect((await answered).status()).toBe(403);
  } finally {
    await attacker.stop();
    await another.stop();
  }
});

test('a file that is too long is read to its end before it is refused, since Firefox shows no earlier answer', async () => {
  const form = { Cookie: cookie, 'Content-Type': 'multipart/form-data; boundary=x', Origin: desk.url };
  const answered = await new Promise((resolve, reject) => {
    const asked = request(`${desk.url}/people/import`, { method: 'POST', headers: form }, ({ statusCode }) =>
      resolve({ status: statusCode, isWholeSent: asked.writableFinished }),
    );
    asked.on('error', reject);
    asked.end('x'.repeat(30_000_000));
  });
  expect(answered).toEqual({ status: 413, isWholeSent: true });
});

test('each answer forbids frames, storing, foreign scripts and referrers elsewhere', async () => {
  const { headers } = await askDesk('/people', { Cookie: cookie });
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self'.*frame-ancestors 'none'/);
  expect(headers['content-security-policy']).not.toContain('unsafe');
});

test('it listens on loopback, whatever HOST says, and ends at Ctrl-C', async () => {
  const open = await startDesk({ DATA_DIR: folder, HOST: '0.0.0.0' });
  expect(open.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { port } = new URL(open.url);
  const { networkInterfaces } = await import('node:os');
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal);
  if (outside) await expect(fetch(`http://${outside.address}:${port}/`)).rejects.toThrow();
  expect(await open.stop()).toBe(0);
});

test('the public server knows no address of the desk', async () => {
  const site = await startSite();
  try {
    for (const path of PATHS) expect([path, (await fetch(site.url + path)).status]).toEqual([path, 404]);
    const posted = await fetch(`${site.url}/backup`, { method: 'POST', body: 'csrf=x' });
    expect(posted.status).toBe(404);
  } finally {
    await site.stop();
  }
});
