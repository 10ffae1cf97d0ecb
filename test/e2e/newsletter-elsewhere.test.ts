import { optionalFields } from '#shared/sign-up-fields.ts';
import { NEWSLETTER_HOST } from '../agencies.ts';
import { SMALL_SITE } from '../built-sites.ts';
import { freePort } from '../free-port.ts';
import { type RunningSite, startSite } from '../running-site.ts';
import { perWorker } from './per-worker.ts';
import { expect, mapHost, test as base } from './site.ts';
import { expectDone, fillIn, findForm } from './sign-up-form.ts';

type Elsewhere = { url: string; newsletter: RunningSite; stop: () => Promise<void> };

const test = base.extend<object, { host: Elsewhere }>({
  host: perWorker(startBoth),
  launchOptions: [
    async ({ launchOptions, host }, use) => use(mapHost(launchOptions, NEWSLETTER_HOST, host.newsletter.url)),
    { scope: 'worker' },
  ],
});

// One site for all.
test.describe.configure({ mode: 'default' });

test('a visitor signs up, and the newsletter elsewhere has it', async ({ page, host }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(host.url);
  const form = findForm(page, 'Footer');
  await form.scrollIntoViewIfNeeded();
  await expect(form).toHaveJSProperty('noValidate', true);
  await fillIn(form, 'static@example.org');
  await form.getByRole('button').click();
  await expectDone(page, 'Footer');
  expect(host.newsletter.signUps()).toMatchObject([
    { email: 'static@example.org', source: 'Footer', state: 'subscribed' },
  ]);
  expect(said).toEqual([]);
});

test('the browser posts the fields elsewhere, and reads no answer', async ({ page, host }) => {
  const received: unknown[] = [];
  await page.route('**/api/newsletter', async (route) => {
    received.push([route.request().method(), route.request().postDataJSON()]);
    await route.fulfill({ status: 500 });
  });
  await page.goto(`${host.url}/?utm_source=search`);
  const form = findForm(page);
  await form.getByLabel('Role').selectOption('Founder');
  await fillIn(form, 'somebody@example.org');
  await form.getByRole('button').click();
  await expectDone(page);
  const fields = { ...optionalFields(() => ''), role: 'Founder', source: 'Founder | utm_source=search' };
  expect(received).toEqual([['POST', { email: 'somebody@example.org', name: '', ...fields }]]);
});

/** The pages on one server, and the newsletter that they post to on another. */
async function startBoth(): Promise<Elsewhere> {
  const PORT = String(await freePort());
  const newsletter = await startSite({ env: { ALLOWED_ORIGINS: `http://127.0.0.1:${PORT}` } });
  const pages = await startSite({ ...SMALL_SITE, env: { ...SMALL_SITE.env, PORT } });
  const stop = async () => {
    await pages.stop();
    await newsletter.stop();
  };
  return { url: pages.url, newsletter, stop };
}
