import { afterEach, expect, test, vi } from 'vitest';
import { findSubscriber } from '#list/read-subscribers.ts';
import { markUndeliverable } from '#list/undeliverable.ts';
import { unsubscribe } from '#list/unsubscribe.ts';
import { toIso } from '#store/iso-time.ts';
import { describeSummary } from '#mail/summary/describe-summary.ts';
import { readSummary, WEEK_MS } from '#mail/summary/read-summary.ts';
import { clearTrouble } from '#mail/queue/mail-trouble.ts';
import { cancelUpdate, pauseUpdate } from '#mail/updates/update-states.ts';
import { queueForAll } from './queue-for-all.ts';
import { seedSubscribers } from './seed-subscribers.ts';
import {
  freshStore,
  isMissing,
  onEachStore,
  type RunningNewsletter,
  signUp,
  startNewsletter,
  startWithSmtp,
  waitUntil,
} from './running-newsletter.ts';
import { at, type SmtpServer, startSmtp } from './smtp-server.ts';

const OWNER = 'owner@agency.example';
afterEach(() => void vi.useRealTimers());

/** Only what the clock shows: timers and the network go on. */
function setClock(time: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(time) });
}

function summariesIn(smtp: SmtpServer) {
  return smtp.mails.filter(({ to, subject }) => to === OWNER && subject?.startsWith('Your list this week'));
}

onEachStore('the weekly summary', (name) => {
  test('comes once on Monday, though the server starts again and again', async () => {
    const smtp = await startSmtp();
    const variables = { ...(await freshStore(name)), SMTP_URL: smtp.url, NOTIFY_TO: OWNER };
    setClock('2026-11-18T12:00:00Z');
    const wednesday = await startNewsletter(variables);
    await signUp(wednesday.url, { email: 'anna@example.org', role: 'Founder', source: 'Footer | utm_source=linkedin' });
    await signUp(wednesday.url, { email: 'ben@example.org', source: 'Founder' });
    await signUp(wednesday.url, { email: 'cleo@example.org' });
    await leave(wednesday, 'ben@example.org');
    await lose(wednesday, 'cleo@example.org');
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
    expect(mail?.text).toContain('Became undeliverable: 1');
    expect(mail?.text).toContain('New, form Footer: 2');
    expect(mail?.text).toContain('New, role Founder: 1');
    expect(mail?.text).toContain('New, campaign none: 3');
    expect(mail?.text).toContain('No backup yet');
    expect(mail?.text).toMatch(/2026-11-23 {2}█+ 1$/m);
    expect(mail?.raw).not.toContain('@example.org');
    expect(mail?.raw.toLowerCase()).not.toContain('unsubscribe.invalid');
    await again.stop();

    setClock('2026-11-30T08:30:00Z');
    await startNewsletter(variables);
    await waitUntil(() => expect(summariesIn(smtp)).toHaveLength(2));
    expect(summariesIn(smtp)[1]?.subject).toBe('Your list this week: 1 new, 0 unsubscribed');
  });
});

test('the summary does not come when SUMMARY is off', async () => {
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

test('a campaign by which few have come is not named, since it may name one of them', async () => {
  const { url, command } = await startNewsletter();
  const campaigns = ['utm_content=anna-smith-4711', 'utm_source=anna@example.org', 'utm_source=fair'];
  for (const [index, campaign] of [...campaigns, 'utm_source=fair', 'utm_source=fair'].entries()) {
    await signUp(url, { email: `p${index}@example.org`, source: `Footer | ${campaign}` });
  }
  expect(JSON.parse((await command('status', '--json')).output).joinedBy.campaign).toEqual([
    { name: 'utm_source=fair', count: 3 },
    { name: 'none', count: 2 },
  ]);
});

/** The needs of the owner in the summary of the last week. */
async function readNeeded({ newsletter }: RunningNewsletter): Promise<string> {
  const now = Date.now();
  return describeSummary(await readSummary(newsletter, { from: now - WEEK_MS, to: now }, now)).needed.join('\n');
}

test('an update that is paused is among the things that need the owner, until it is cancelled', async () => {
  const running = await startNewsletter();
  const { store, command } = running;
  await seedSubscribers(store, 1);
  const id = await queueForAll(store, { sendAt: Date.now() + 3_600_000 });
  await pauseUpdate(store.db, id, 'the owner paused it');
  expect((await command('status')).output).toContain('The update update.md is paused: the owner paused it.');
  expect(await readNeeded(running)).toContain('npm run desk');
  const moveDeliveries = (state: 'sending' | 'waiting') =>
    store.db.updateTable('deliveries').set({ state }).where('update_id', '=', id).execute();
  await moveDeliveries('sending');
  expect((await command('status')).output).toContain('update.md is paused: 0 of 1 sent, 1 waiting');
  await moveDeliveries('waiting');
  await cancelUpdate(store, id, Date.now());
  expect(await readNeeded(running)).not.toContain('update.md');
  expect((await command('status')).output).toContain(
    'update.md is cancelled: 0 of 1 sent, 0 waiting, 0 refused, 1 will not get it',
  );
});

test.each([
  ['AUTH', '535 5.7.8 wrong login'],
  ['RCPT TO', '550 5.7.1 blocked by policy'],
] as const)(
  'a mail server that answers %s with %s is among the things that need the owner, until it takes a mail',
  async (step, reply) => {
    const { smtp, running } = await startWithSmtp();
    smtp.mood = at(step, reply);
    await signUp(running.url);
    const sentence = new RegExp(
      `Your mail server did not take an email. No email has gone out since .*: the mail server refuses .* \\(${reply}.*Check SMTP_URL`,
    );
    await waitUntil(async () => expect(await readNeeded(running)).toMatch(sentence));
    expect((await running.command('status')).output).toMatch(sentence);
    // Its next try would be refused too.
    await running.newsletter.stopDeliveries();
    await clearTrouble(running.store.db);
    expect(await readNeeded(running)).not.toContain('No email has gone out');
  },
);

test('made-up campaigns do not fill it: ten are named, the largest first, and the others are one line', async () => {
  const { url, store, command } = await startNewsletter();
  const visited = ['fair', ...Array.from({ length: 12 }, (_, index) => index + 12)];
  const row = { day: toIso(Date.now()).slice(0, 10), page: '/', referrer: '', shown: 3, sign_ups: 0 };
  const rows = visited.map((name) => ({ ...row, campaign: `utm_source=${name}` }));
  await store.db.insertInto('visits').values(rows).execute();
  for (let number = 10; number < 24; number += 1) {
    const campaign = number < 12 ? 'fair' : number;
    await signUp(url, { email: `p${number}@example.org`, source: `Footer | utm_source=${campaign}` });
  }
  const { campaign } = JSON.parse((await command('status', '--json')).output).joinedBy;
  expect(campaign).toHaveLength(11);
  expect(campaign[0]).toEqual({ name: 'utm_source=fair', count: 2 });
  expect(campaign.at(-1)).toEqual({ name: 'others', count: 3 });
  expect((await command('status')).output).toMatch(/New, campaign others +3\n/);
});

test.skipIf(isMissing('PostgreSQL'))('two servers on one database send one summary', async () => {
  const smtp = await startSmtp();
  const store = await freshStore('PostgreSQL');
  const { DATA_DIR } = await freshStore();
  const one = { ...store, SMTP_URL: smtp.url, NOTIFY_TO: OWNER, SIGNING_SECRET: 'x'.repeat(32) };
  setClock('2026-11-18T12:00:00Z');
  await (await startNewsletter(one)).stop();
  setClock('2026-11-23T08:30:00Z');
  const servers = await Promise.all([startNewsletter(one), startNewsletter({ ...one, DATA_DIR })]);
  await waitUntil(() => expect(summariesIn(smtp)).toHaveLength(1));
  // Stopping waits for what is under way.
  await Promise.all(servers.map((server) => server.stop()));
  expect(summariesIn(smtp)).toHaveLength(1);
});

async function leave({ store }: RunningNewsletter, address: string): Promise<void> {
  const { id } = (await findSubscriber(store.db, address))!;
  await unsubscribe(store, id, 'command', { SHEET_URL: undefined, NOTIFY_TO: undefined }, Date.now());
}

async function lose({ store }: RunningNewsletter, address: string): Promise<void> {
  const { id } = (await findSubscriber(store.db, address))!;
  await store.transaction((tx) => markUndeliverable(tx, id, '550 no such user', Date.now()));
}
