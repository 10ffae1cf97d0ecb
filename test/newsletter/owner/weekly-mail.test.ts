import { afterEach, expect, test, vi } from 'vitest';
import { findSubscriber } from '#newsletter/subscribers/read-subscribers.ts';
import { markUndeliverable } from '#newsletter/bounces/undeliverable.ts';
import { unsubscribe } from '#newsletter/subscribers/unsubscribe.ts';
import { findOwnerTasks } from '#newsletter/weekly-mail/find-owner-tasks.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import { clearOutage } from '#newsletter/deliveries/smtp/mail-outage.ts';
import { cancelUpdate, pauseUpdate } from '#newsletter/updates/update-state.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { queueForAll } from '../setup/queue-for-all.ts';
import { enqueue, findOnlyPerson, openFreshStore } from '../setup/run-queue.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import {
  freshStore,
  isMissing,
  onEachStore,
  type RunningNewsletter,
  signUp,
  startNewsletter,
  startWithSmtp,
  waitUntil,
} from '../setup/running-newsletter.ts';
import { at, type SmtpServer, startSmtp } from '../setup/smtp-server.ts';

const OWNER = 'owner@agency.example';
afterEach(() => void vi.useRealTimers());

/** Fakes only the date; timers and the network keep running. */
function setClock(time: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(time) });
}

function summariesIn(smtp: SmtpServer) {
  return smtp.mails.filter(({ to, subject }) => to === OWNER && subject?.startsWith('Your list this week'));
}

onEachStore('the weekly email', (name) => {
  test('is sent once on Monday, even if the server restarts', async () => {
    const smtp = await startSmtp();
    const variables = { ...(await freshStore(name)), SMTP_URL: smtp.url, NOTIFY_TO: OWNER };
    setClock('2026-11-18T12:00:00Z');
    const wednesday = await startNewsletter(variables);
    await signUp(wednesday.url, { email: 'anna@example.org', role: 'Founder', source: 'Footer | utm_source=linkedin' });
    await signUp(wednesday.url, { email: 'ben@example.org', source: 'Founder' });
    await signUp(wednesday.url, { email: 'cleo@example.org' });
    await leave(wednesday, 'ben@example.org');
    await lose(wednesday, 'cleo@example.org');
    const views = { day: '2026-11-18', page: '/', site: 'news.example', views: 7 };
    await wednesday.store.db.insertInto('page_views').values(views).execute();
    const id = await queueForAll(wednesday.store, { sendAt: Date.now() + 3_600_000 });
    await cancelUpdate(wednesday.store, id, Date.now());
    await wednesday.stop();

    setClock('2026-11-23T08:30:00Z');
    const monday = await startNewsletter(variables);
    await waitUntil(() => expect(summariesIn(smtp)).toHaveLength(1));
    await monday.stop();
    const again = await startNewsletter(variables);
    await signUp(again.url, { email: 'dora@example.org' });
    await waitUntil(() => expect(smtp.mails.map(({ to }) => to)).toContain('dora@example.org'));
    expect(summariesIn(smtp)).toHaveLength(1);

    const [mail] = summariesIn(smtp);
    expect(mail?.subject).toBe('Your list this week: 3 new, 1 unsubscribed');
    for (const row of [
      'Subscribed: 1',
      'Not confirmed: 0',
      'New in seven days: 3',
      'Became undeliverable in seven days: 1',
    ]) {
      expect(mail?.text).toContain(row);
    }
    expect(mail?.text).toContain('No backup yet');
    expect(mail?.text).toContain('Page views in seven days: 7');
    expect(mail?.text).toContain('From news.example: 7');
    expect(mail?.text).toContain('Update “Pay”: cancelled; 0 of 1 sent');
    expect(mail?.raw).not.toContain('@example.org');
    expect(mail?.raw.toLowerCase()).not.toContain('unsubscribe.invalid');
    await again.stop();

    setClock('2026-11-30T08:30:00Z');
    await startNewsletter(variables);
    await waitUntil(() => expect(summariesIn(smtp)).toHaveLength(2));
    expect(summariesIn(smtp)[1]?.subject).toBe('Your list this week: 1 new, 0 unsubscribed');
  });
});

test('sends no weekly email if SUMMARY is off', async () => {
  setClock('2026-11-18T12:00:00Z');
  const { smtp, running: before } = await startWithSmtp();
  await before.stop();
  setClock('2026-11-23T08:30:00Z');
  const variables = { ...before.place, SMTP_URL: smtp.url, NOTIFY_TO: OWNER, SUMMARY: 'off' };
  const running = await startNewsletter(variables);
  await signUp(running.url);
  await waitUntil(() => expect(smtp.mails).toHaveLength(2));
  expect(summariesIn(smtp)).toEqual([]);
});

/** The tasks that need the owner's attention. */
async function readNeeded({ store, env }: Pick<RunningNewsletter, 'store' | 'env'>): Promise<string> {
  const tasks = await findOwnerTasks(store, env, Date.now());
  return tasks.map(({ title, cause }) => `${title}. ${cause}`).join('\n');
}

test('lists a paused update as a task until it is cancelled', async () => {
  const running = await startNewsletter();
  const { store, command } = running;
  await seedSubscribers(store, 1);
  const id = await queueForAll(store, { sendAt: Date.now() + 3_600_000 });
  await pauseUpdate(store.db, id, 'the owner paused it');
  const { output } = await command('status');
  expect(output).toContain('Your update is paused. “Pay” stopped: the owner paused it.');
  expect(output).toContain('open your desk, at /desk on your site');
  await cancelUpdate(store, id, Date.now());
  expect(await readNeeded(running)).not.toContain('Pay');
  expect((await command('status')).output).toContain('Update “Pay”  ');
});

test.each([
  ['waits for the owner to retry it', 'welcome', 'subscribed', 'sender', true],
  ['is to somebody who is marked as undeliverable', 'welcome', 'undeliverable', 'sender', false],
  ['is to somebody who has unsubscribed', 'confirmation', 'unsubscribed', null, false],
  ['was rejected by the mailbox of somebody pending', 'confirmation', 'pending', 'mailbox', false],
  ['is a notice to the owner', 'notice', 'undeliverable', 'sender', true],
] as const)(
  'decides whether a failed email that %s is a task for the owner',
  async (_, kind, state, fault, isNeeded) => {
    const store = await openFreshStore();
    await seedSubscribers(store, 1, { state });
    const { id } = await findOnlyPerson(store);
    await enqueue(store, { ...createDelivery(kind, id, {}, Date.now()), state: 'failed', fault });
    expect((await readNeeded({ store, env: parseEnvironment({}) })).includes('could not be sent')).toBe(isNeeded);
  },
);

test('lists a mail server that rejects the login as a task until it accepts an email', async () => {
  const { smtp, running } = await startWithSmtp();
  const reply = '535 5.7.8 wrong login';
  smtp.behave = at('AUTH', reply);
  await signUp(running.url);
  const sentence = new RegExp(
    `Your mail server did not accept an email. No email has gone out since .*: the mail server rejects .* \\(${reply}.*check your mail account`,
  );
  await waitUntil(async () => expect(await readNeeded(running)).toMatch(sentence));
  expect((await running.command('status')).output).toMatch(sentence);
  // Its retry would be rejected too.
  await running.newsletter.stopDeliveries();
  await clearOutage(running.store.db);
  expect(await readNeeded(running)).not.toContain('No email has gone out');
});

test.skipIf(isMissing('PostgreSQL'))('sends one weekly email from two servers on one database', async () => {
  const smtp = await startSmtp();
  const store = await freshStore('PostgreSQL');
  const { DATA_DIR } = await freshStore();
  const one = { ...store, SMTP_URL: smtp.url, NOTIFY_TO: OWNER, SIGNING_SECRET: 'x'.repeat(32) };
  setClock('2026-11-18T12:00:00Z');
  await (await startNewsletter(one)).stop();
  setClock('2026-11-23T08:30:00Z');
  const servers = await Promise.all([startNewsletter(one), startNewsletter({ ...one, DATA_DIR })]);
  await waitUntil(() => expect(summariesIn(smtp)).toHaveLength(1));
  // Stopping waits for the work in progress.
  await Promise.all(servers.map((server) => server.stop()));
  expect(summariesIn(smtp)).toHaveLength(1);
});

async function leave({ store, newsletter }: RunningNewsletter, email: string): Promise<void> {
  const { id } = (await findSubscriber(store.db, email, newsletter.secret))!;
  await unsubscribe(store, id, 'command', { SHEET_URL: undefined, NOTIFY_TO: undefined }, Date.now());
}

async function lose({ store, newsletter }: RunningNewsletter, email: string): Promise<void> {
  const { id } = (await findSubscriber(store.db, email, newsletter.secret))!;
  await store.transaction((tx) => markUndeliverable(tx, id, '550 no such user', Date.now()));
}
