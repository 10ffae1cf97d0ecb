import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../listen.ts';
import { type RunningDesk, startDesk } from './open-desk.ts';
import { expect, type Page, test } from './site.ts';

let desk: RunningDesk;
let folder: string;
let page: Page;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser }) => {
  folder = mkdtempSync(join(tmpdir(), 'desk-security-'));
  desk = await startDesk({ DATA_DIR: folder, HOST: '0.0.0.0' });
  page = await browser.newPage();
  await page.goto(desk.address);
  await expect(page).toHaveURL(`${desk.url}/`);
});
test.afterAll(async () => {
  await page.close();
  await desk.stop();
  rmSync(folder, { recursive: true });
});

test('a page of another origin cannot post a form with the owner’s cookie, nor frame the desk', async () => {
  const form = `<form method="post" action="${desk.url}/backup"><button>Win</button></form>`;
  // On another port of the same host, to which browsers send the cookie.
  const attacker = await listen(
    createServer((_, response) =>
      response.setHeader('Content-Type', 'text/html').end(`${form}<iframe src="${desk.url}/"></iframe>`),
    ),
  );
  try {
    await page.goto(attacker.url);
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
    const answered = page.waitForResponse(`${desk.url}/backup`);
    await page.getByRole('button', { name: 'Win' }).click();
    expect(await (await answered).text()).toBe('This form is not from your desk.\n');
  } finally {
    await attacker.stop();
  }
});

test('a body that is no form is refused in words', async () => {
  const headers = { Origin: desk.url, 'Content-Type': 'multipart/form-data; boundary=x' };
  const answer = await page.request.post(`${desk.url}/backup`, { headers, data: 'rubbish' });
  expect(answer.status()).toBe(400);
  expect(await answer.text()).toContain('That did not work');
});

test('a file that is too long is read to its end before it is refused, since Firefox shows no earlier answer', async () => {
  const answered = await new Promise((resolve, reject) => {
    const asked = request(`${desk.url}/people/import`, { method: 'POST' }, ({ statusCode }) =>
      resolve({ status: statusCode, isWholeSent: asked.writableFinished }),
    );
    asked.on('error', reject);
    asked.end('x'.repeat(30_000_000));
  });
  expect(answered).toEqual({ status: 413, isWholeSent: true });
});

test('it listens on loopback, whatever HOST says, and ends at Ctrl-C', async () => {
  expect(new URL(desk.address).searchParams.get('token'), 'has 128 bits').toMatch(/^[\w-]{22}$/);
  const { hostname, port } = new URL(desk.url);
  expect(hostname).toBe('127.0.0.1');
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal);
  if (outside) await expect(fetch(`http://${outside.address}:${port}/`)).rejects.toThrow();
  expect(await desk.stop()).toBe(0);
});
