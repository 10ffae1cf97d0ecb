import { content as siteContent } from '../../test-content.ts';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { Hono } from 'hono';
import type { Desk } from '#desk/desk-types.ts';
import { renderPages } from '#desk/frame.tsx';
import { addSending } from '#desk/sending.tsx';
import { cancel, resume } from '#cli/manage-updates.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { clearOutage, recordOutage } from '#newsletter/deliveries/smtp/mail-outage.ts';
import { recordRunning } from '#newsletter/updates/update-schedule.ts';
import { listUpdates } from '#newsletter/updates/update-progress.ts';
import { cancelUpdate, pauseUpdate } from '#newsletter/updates/update-state.ts';
import { describeWaiting } from '#newsletter/updates/waiting-reason.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import type { Delivery } from '#newsletter/database/schema.ts';
import { readDeliveries } from '../setup/run-queue.ts';
import { runUpdates } from '../setup/owner-commands.ts';
import {
  freshStore,
  isMissing,
  openPlace,
  type Place,
  startNewsletter,
  waitForLock,
  waitUntil,
} from '../setup/running-newsletter.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { startSmtp } from '../setup/smtp-server.ts';

const UPDATE = `---
subject: Pay in 2026
preview: What we saw
roles: [Founder]
---
# Pay

Ask [us](https://www.agency.example/).
`;

/** The commands on the store of a running server, with one update. */
function commandOn(place: Place, variables: Record<string, string> = {}) {
  writeUpdate(place, 'pay.md', UPDATE);
  const CONTENT_DIR = join(place.DATA_DIR, 'work');
  return (...words: string[]) => runUpdates({ ...place, CONTENT_DIR, ...variables }, ...words);
}

function writeUpdate({ DATA_DIR }: Place, name: string, content: string): void {
  const updates = join(DATA_DIR, 'work/updates');
  mkdirSync(updates, { recursive: true });
  writeFileSync(join(updates, name), content);
}

test(
  'shows an update, sends it after the number of people is confirmed, and follows it',
  { timeout: 90_000 },
  async () => {
    const smtp = await startSmtp();
    const place = await freshStore();
    const variables = { SMTP_URL: smtp.url, SITE_URL: 'https://www.agency.example', MAIL_HOURLY_CAP: '3' };
    const running = await startNewsletter({ ...place, ...variables });
    await seedSubscribers(running.store, 3, { role: 'Founder' });
    await seedSubscribers(running.store, 2, { prefix: 'other' });
    const updates = commandOn(place, variables);

    await updates('send', 'pay.md', '--yes', '3', '--at', '2099-01-05T09:00');
    await updates('cancel');
    expect((await updates('status')).output).toMatch(/^Will not get it +3$/m);
    const asked = await updates('send', 'pay.md');
    expect(asked).toMatchObject({ code: 1, errors: 'Nothing was queued. To confirm without a terminal: --yes 3\n' });
    expect(asked.output).toContain('To       3 people: 3 Founder');
    expect(asked.output).toContain('Takes    about 2 hours at MAIL_HOURLY_CAP=3');
    expect(asked.output).not.toContain('earlier version');
    expect((await updates('send', 'pay.md', '--yes', '5')).errors).toContain('--yes: expected 3');
    expect(JSON.parse((await updates('list', '--json')).output)).toMatchObject([{ state: 'cancelled' }]);

    expect(await updates('send', 'pay.md', '--yes', '3')).toMatchObject({ code: 0 });
    const { db } = running.store;
    await waitUntil(async () => {
      const sent = db.selectFrom('deliveries').select('id').where('state', '=', 'sent');
      expect(await sent.execute()).toHaveLength(2);
    });
    expect(smtp.mails).toHaveLength(2);
    const status = (await updates('status')).output;
    expect(status).toContain('66% of 3 people');
    expect(status).toMatch(
      /Why it waits: this hour’s limit has been reached \(MAIL_HOURLY_CAP=3\), and no more can be sent until \w+ \d+ \w+, /,
    );
    expect((await updates('send', 'pay.md', '--yes', '3')).errors).toBe(
      'pay.md is already queued: sent to 2 people, waiting to go to 1 person.\n',
    );
    expect(await updates('pause')).toMatchObject({ code: 0, output: expect.stringContaining('pay.md is paused') });
    expect((await updates('pause')).errors).toMatch(/^No update is .*sending\.\n$/);
    expect((await updates('resume')).code).toBe(0);
    expect((await updates('cancel')).output).toContain('2 people had already received it. 1 person will not get it.');
    const again = await updates('send', 'pay.md', '--yes', '1');
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('2 people already got this') });
    writeUpdate(place, 'pay.md', UPDATE.replace('Ask', 'Do ask'));
    expect((await updates('send', 'pay.md')).errors).toContain('--replace');
    const corrected = (await updates('send', 'pay.md', '--replace', '--again')).output;
    expect(corrected).toContain('2 people got an earlier version of it');
  },
);

test('says in an update’s status that no server is running', async () => {
  const store = await openPlace(await freshStore());
  await seedSubscribers(store, 1);
  await queueForAll(store);
  const [update] = await listUpdates(store.db);
  const caps = { hourlyCap: 200, dailyCap: undefined };
  const absent = 'no server is running; sending continues when one starts';
  expect(await describeWaiting(store.db, update!, caps)).toBe(absent);
  await recordRunning(store, Date.now());
  expect(await describeWaiting(store.db, update!, caps)).toBe('it is being sent now');
  await recordRunning(store, Date.now() - 3 * 60_000);
  expect(await describeWaiting(store.db, update!, caps)).toBe(absent);
});

test('says in an update’s status that the mail server rejects the login', async () => {
  const place = await freshStore();
  const store = await openPlace(place);
  await seedSubscribers(store, 1);
  await queueForAll(store);
  await recordRunning(store, Date.now());
  await recordOutage(store.db, 'the mail server rejects the login (535 5.7.8 bad password)', Date.now());
  const { output } = await commandOn(place)('status');
  expect(output).toMatch(/State +waiting for the mail server: the mail server rejects the login/);
  expect(output).toMatch(/Why it waits: no email has gone out since .*bad password/);
  const page = await (await openSendingPage(place, store)).get();
  expect(page).toContain('Waiting: your mail server isn’t accepting email');
  expect(page).toContain('bad password');
  await clearOutage(store.db);
  expect((await commandOn(place)('status')).output).toMatch(/State +sending\n/);
});

test('offers on an update’s page to retry only the emails for which that may help', async () => {
  const place = await freshStore();
  const store = await openPlace(place);
  await seedSubscribers(store, 5);
  await queueForAll(store);
  const failed = { state: 'failed', finished_at: new Date().toISOString() } as const;
  const [late, policy, dead, arrived, left] = await readDeliveries(store);
  const fail = (delivery: Delivery | undefined, fields: Partial<Delivery>) =>
    store.db
      .updateTable('deliveries')
      .set({ ...failed, ...fields })
      .where('id', '=', delivery!.id)
      .execute();
  await fail(late, { last_error: 'for seven days: 451 later' });
  await fail(policy, { fault: 'sender', last_error: '550 5.7.1 policy' });
  await fail(dead, { fault: 'mailbox', last_error: '550 5.1.1 no such user' });
  await fail(arrived, { interruptions: 2, last_error: 'it may have arrived' });
  await fail(left, { last_error: '451 later' });
  const unsubscribed = { state: 'unsubscribed' } as const;
  await store.db.updateTable('subscribers').set(unsubscribed).where('id', '=', left!.subscriber_id).execute();

  const desk = await openSendingPage(place, store);
  expect(await desk.get()).toContain('Retry 2 people');
  expect(await desk.press('retry')).toBe('The server will retry 2 people as soon as your sending limits allow.');
  const states = (await readDeliveries(store)).map(({ id, state }) => [id, state]);
  expect(Object.fromEntries(states)).toEqual({
    [late!.id]: 'waiting',
    [policy!.id]: 'waiting',
    [dead!.id]: 'failed',
    [arrived!.id]: 'failed',
    [left!.id]: 'failed',
  });
  expect(await desk.get()).not.toContain('value="retry"');
});

/** The desk's page of the update. */
async function openSendingPage(place: Place, store: Store) {
  const [update] = await listUpdates(store.db);
  const app = new Hono();
  const env = parseEnvironment({ DATA_DIR: place.DATA_DIR });
  const results: Desk['results'] = new Map();
  const desk = { content: siteContent, store, env, results, log: () => undefined };
  app.use(renderPages(desk));
  addSending(app, desk);
  const path = `/desk/updates/sent/${update!.id}`;
  return {
    get: async () => (await app.request(path)).text(),
    /** @returns the notice on the next page */
    press: async (action: string) => {
      expect((await app.request(path, { method: 'POST', body: new URLSearchParams({ action }) })).status).toBe(303);
      return [...results.values()].at(-1)?.notice;
    },
  };
}

test('reports a mistake in the file with its line, and sends nothing', async () => {
  const { place, store } = await startNewsletter();
  await seedSubscribers(store, 1, { role: 'Founder' });
  const updates = commandOn(place);
  writeUpdate(place, 'bad.md', UPDATE.replace('https:', 'http:'));
  expect(await updates('send', 'bad.md', '--yes', '1')).toMatchObject({
    code: 1,
    errors:
      'bad.md:8:1 link: expected an address that begins with https:// or mailto:, but found "http://www.agency.example/"\n',
  });
  expect((await updates('send', 'nothing.md')).errors).toContain('nothing.md: there is no such update');
  expect((await updates('send', '.')).errors).toContain('.: there is no such update');
});

test('accepts a file in content/updates/, or any other, which is on the desk from then on', async () => {
  const smtp = await startSmtp();
  const { place } = await startNewsletter();
  const updates = commandOn(place, { SMTP_URL: smtp.url, SITE_URL: 'https://www.agency.example' });
  writeUpdate(place, 'README.md', UPDATE);
  expect(await updates('test', 'README.md', '--to', 'me@example.org')).toMatchObject({ code: 0 });
  expect(smtp.mails[0]?.subject).toBe('[Test] Pay in 2026');
  const folder = join(place.DATA_DIR, 'work/updates');
  for (const file of ['pay', 'pay.md', join(folder, 'pay.md'), relative('.', join(folder, 'pay.md'))]) {
    expect((await updates('send', file, '--yes', '1')).errors).toContain('nobody');
  }
  const elsewhere = join(place.DATA_DIR, 'elsewhere.md');
  writeFileSync(elsewhere, UPDATE);
  expect((await updates('send', elsewhere, '--yes', '1')).errors).toContain('nobody');
  expect(await updates('test', 'elsewhere', '--to', 'me@example.org'), 'it is kept').toMatchObject({ code: 0 });
  expect((await updates('send', '../pay.md', '--yes', '1')).errors).toContain('there is no such update');
});

test('requires a public URL and a time in the future for sending', async () => {
  const { place, store } = await startNewsletter();
  await seedSubscribers(store, 1, { role: 'Founder' });
  const withSmtp = commandOn(place, { SMTP_URL: 'smtp://127.0.0.1:9' });
  expect((await withSmtp('send', 'pay.md', '--yes', '1')).errors).toContain('public address (SITE_URL) is not set');
  const withoutSmtp = commandOn(place, { SITE_URL: 'https://www.agency.example' });
  expect((await withoutSmtp('send', 'pay.md', '--yes', '1')).errors).toContain('There is no mail account yet');
  const updates = commandOn(place, { SMTP_URL: 'smtp://127.0.0.1:9', SITE_URL: 'https://www.agency.example' });
  expect((await updates('send', 'pay.md', '--at', '2020-01-01T09:00')).errors).toMatch(
    /'--at <time>' argument '2020-01-01T09:00' is invalid\. Expected a time in the future/,
  );
  const scheduled = await updates('send', 'pay.md', '--at', '2099-07-01T09:00', '--yes', '1');
  expect(scheduled.output).toContain('Begins   2099-07-01 09:00, Europe/London');
  expect((await updates('status')).output).toMatch(
    /State +scheduled[^]*Why it waits: it is scheduled for Wednesday 1 July 2099, 09:00 London\./,
  );
});

test.skipIf(isMissing('PostgreSQL')).each([
  ['resume', resume],
  ['cancel', cancel],
])('%s says that another command has just cancelled the update, and changes nothing', async (_, act) => {
  const place = await freshStore('PostgreSQL');
  const { store } = await startNewsletter(place);
  const opened = { store, env: parseEnvironment(place), secret: '' };
  await seedSubscribers(store, 1);
  const id = await queueForAll(store);
  await pauseUpdate(store.db, id, 'the owner paused it');
  const { answer } = await store.transaction(async (tx) => {
    await cancelUpdate({ ...store, transaction: (work) => work(tx) }, id, Date.now());
    const asked = act(opened, undefined).catch((error: Error) => error.message);
    await waitForLock(store);
    return { answer: asked };
  });
  expect(await answer).toBe('update.md: another command has changed it in the meantime. Nothing was done.');
});

test('marks a test email, whose unsubscribe page opens and changes nothing', async () => {
  const smtp = await startSmtp();
  const { url, place, store, people } = await startNewsletter();
  await seedSubscribers(store, 1, { role: 'Founder' });
  const site = { SITE_URL: 'https://www.agency.example' };
  const updates = commandOn(place, { SMTP_URL: smtp.url, ...site });
  expect((await commandOn(place, site)('test', 'pay.md', '--to', 'me@example.org')).errors).toMatch(
    /^There is no mail account yet/,
  );
  expect(existsSync(join(place.DATA_DIR, 'outbox'))).toBe(false);
  const toLocalhost = commandOn(place, { SMTP_URL: 'smtp://mail.example.org' });
  expect((await toLocalhost('test', 'pay.md', '--to', 'me@example.org')).errors).toMatch(/^SITE_URL: expected/);
  expect((await updates('test', 'pay.md', '--to', 'no address')).errors).toContain('Expected one email address');
  const sent = await updates('test', 'pay.md', '--to', 'me@example.org');
  expect(sent).toMatchObject({ code: 0, output: expect.stringContaining('Sent to me@example.org') });
  const [mail] = smtp.mails;
  expect(mail?.subject).toBe('[Test] Pay in 2026');
  const header = () => smtp.mails.at(-1)?.headers.find(({ key }) => key === 'list-unsubscribe')?.value;
  expect(header()).not.toContain('mailto:');
  const mailbox = { BOUNCE_MAILBOX: 'imaps://office%40agency.example:secret@imap.agency.example/INBOX' };
  await commandOn(place, { SMTP_URL: smtp.url, ...site, ...mailbox })('test', 'pay.md', '--to', 'me@example.org');
  expect(header()).toMatch(/<mailto:office@agency\.example\?subject=unsubscribe%20/);
  const path = /unsubscribe\/[\w.-]+/.exec(mail?.text ?? '')?.[0] ?? '';
  expect((await fetch(`${url}/newsletter/${path}`)).status).toBe(200);
  expect((await fetch(`${url}/newsletter/${path}`, { method: 'POST' })).status).toBe(200);
  expect(await people()).toMatchObject([{ state: 'subscribed' }]);
});
