import { rm } from 'node:fs/promises';
import { buildSite } from '../build-site.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { startStaticHost } from '../static-host.ts';
import { BUILD_MS, perWorker } from './per-worker.ts';
import { expect, test as base } from './site.ts';

type Host = { url: string; newsletter: RunningSite; stop: () => Promise<void> };

const test = base.extend<object, { host: Host }>({ host: perWorker(startHost, BUILD_MS) });

test('on a static host a visitor signs up, and the newsletter elsewhere has it', async ({ page, host }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(host.url);
  const form = page.getByRole('form', { name: /^Stay Connected/ });
  await form.scrollIntoViewIfNeeded();
  await expect(form).toHaveJSProperty('noValidate', true);
  await form.getByLabel('Email').fill('static@example.org');
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Join the List' }).click();
  await expect(page.getByRole('heading', { name: "You're All Set!" })).toBeVisible();
  expect(host.newsletter.signUps()).toMatchObject([
    { email: 'static@example.org', source: 'Footer', state: 'subscribed' },
  ]);
  expect(said).toEqual([]);
});

test('on a static host an unknown address shows the 404 page', async ({ page, host }) => {
  const answer = await page.goto(`${host.url}/nowhere/at/all`);
  expect(answer!.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found');
});

/** The pages on a host for files alone, and the receiver on another. */
async function startHost(): Promise<Host> {
  let build = '';
  const host = await startStaticHost(() => build);
  const newsletter = await startSite({ env: { ALLOWED_ORIGINS: host.url } });
  build = await buildSite({ NEWSLETTER_ENDPOINT: `${newsletter.url}/api/newsletter` });
  return {
    url: host.url,
    newsletter,
    stop: async () => {
      host.stop();
      await newsletter.stop();
      await rm(build, { recursive: true });
    },
  };
}
