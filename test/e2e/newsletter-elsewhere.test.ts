import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { buildSite } from '../build-site.ts';
import { startSite } from '../running-site.ts';
import { BUILD_MS, perWorker } from './per-worker.ts';
import { expect, test as base } from './site.ts';

type Script = { url: string; received: { method: string; body: string }[]; stop: () => void };

/** A stand-in for the owner's spreadsheet script, and the site built to post there. */
const test = base.extend<object, { script: Script }>({
  script: perWorker(startScript),
  site: [
    async ({ script }, use) => {
      const env = { NEWSLETTER_ENDPOINT: script.url };
      const build = await buildSite(env);
      const site = await startSite({ build, env });
      await use(site);
      await site.stop();
      await rm(build, { recursive: true });
    },
    { scope: 'worker', timeout: BUILD_MS },
  ],
});

test('with another address set, the browser posts the fields there and reads no answer', async ({
  page,
  site,
  script,
}) => {
  await page.goto('/?utm_source=search');
  const form = page.getByRole('form', { name: 'Want to stay ahead of GTM hiring trends?' });
  await form.getByLabel('Email').fill('somebody@example.org');
  await form.getByLabel('Role').selectOption('Founder');
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to the List!' })).toBeVisible();
  const fields = { ...optionalFields(() => ''), role: 'Founder' };
  expect(script.received.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([
    ['POST', { email: 'somebody@example.org', name: '', ...fields, source: 'Founder | utm_source=search' }],
  ]);
  expect(site.signUps()).toEqual([]);
});

async function startScript(): Promise<Script> {
  const received: Script['received'] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ method: request.method ?? '', body: await text(request) });
    // Its answer is not read: even a failure counts as a request that completed.
    response.writeHead(500).end('nobody reads this');
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/exec`,
    received,
    stop: () => server.close(),
  };
}
