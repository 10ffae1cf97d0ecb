import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { planPurge, purge } from '#list/purge.ts';
import { countUnsent } from '#mail/queue/unsent.ts';
import type { Desk } from '#owner/desk/desk-types.ts';
import { addLeaving } from '#owner/desk/leaving.tsx';
import { toIso } from '#store/iso-time.ts';
import { createDelivery } from '#store/new-delivery.ts';
import { setLastPurge, waitForRetention } from './erasing.ts';
import { openFreshStore } from './run-queue.ts';
import { onEachStore, type RunningNewsletter, signUp, startNewsletter, waitUntil } from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';
import { startSmtp } from './smtp-server.ts';

const DAY = 24 * 3_600_000;
const OLD = 800;

/** A visit, a sent mail and a delivery from then. */
async function addOldRows({ store: { db } }: RunningNewsletter): Promise<void> {
  const then = Date.now() - OLD * DAY;
  const visit = { day: toIso(then).slice(0, 10), page: '/', referrer: '', campaign: '', shown: 1, sign_ups: 0 };
  await db.insertInto('visits').values(visit).execute();
  const mail = { delivery_id: 'a', kind: 'welcome', mailbox_hash: null, taken_at: toIso(then) } as const;
  await db.insertInto('sent_mails').values(mail).execute();
  const alert = { ...createDelivery('alert', null, { subject: '', text: '' }, then), state: 'sent' as const };
  await db
    .insertInto('deliveries')
    .values({ ...alert, finished_at: toIso(then) })
    .execute();
}

/** The desk's page of the people who are due to be erased. */
function openLeaving({ store, env }: RunningNewsletter) {
  const desk = new Hono();
  const answers: Desk['answers'] = new Map();
  desk.use((context, next) => {
    context.setRenderer((page) => context.html(renderToStaticMarkup(page)));
    return next();
  });
  addLeaving(desk, { store, answers, env } as unknown as Desk);
  const typeNumber = (confirmed: string) =>
    desk.request('/people/leaving', { method: 'POST', body: new URLSearchParams({ confirmed }) });
  return { desk, answers, typeNumber };
}

onEachStore('the list', (name) => {
  test('a clock years ahead erases nobody and nothing before the owner has confirmed how many', async () => {
    // Everybody is too old, and the last purge is long ago: just as if the clock had leapt.
    const before = await startNewsletter({}, name);
    await waitForRetention(before);
    await before.newsletter.stopDeliveries();
    await seedSubscribers(before.store, 4, { engagedDaysAgo: OLD });
    await addOldRows(before);
    await setLastPurge(before, Date.now() - OLD * DAY);
    await before.stop();
    const running = await startNewsletter(before.place);
    const { people, command, store } = running;
    const countOld = async () => {
      const tables = (['visits', 'sent_mails', 'deliveries'] as const).map((table) => store.db.selectFrom(table));
      return (await Promise.all(tables.map((rows) => rows.selectAll().execute()))).map(({ length }) => length);
    };
    await waitUntil(() => expect(running.log.join()).toContain('Retention: held back'));
    await running.newsletter.stopDeliveries();
    expect(await people()).toHaveLength(4);
    expect(await countOld()).toEqual([1, 1, 1]);
    expect((await command('status')).output).toContain('The daily erasing is on hold');
    const { retention } = JSON.parse((await command('status', '--json')).output);
    expect(retention).toMatchObject({ leaving: 4, doubt: expect.stringContaining('800 days after the last purge') });

    expect(await command('purge')).toMatchObject({ code: 1, output: '' });
    expect(await command('purge', '--confirm', '3')).toMatchObject({
      code: 1,
      output: '',
      errors: 'Expected 4, the number of people who would be erased now, but found "3".\n',
    });
    const { desk, answers, typeNumber } = openLeaving(running);
    await typeNumber('five');
    const [answer] = answers.values();
    expect(answer?.mistake?.message).toContain('but found "five"');
    expect(await people()).toHaveLength(4);
    // The owner has looked at the clock.
    expect(await command('purge', '--confirm', '4')).toMatchObject({ code: 0, output: '4 erased.\n' });
    expect(await people()).toEqual([]);

    // Later nobody is due, and the server was switched off.
    await setLastPurge({ store }, Date.now() - 40 * DAY);
    expect(await (await desk.request('/people/leaving')).text()).toMatch(/40 days after .*name="confirmed"/);
    await typeNumber('0');
    expect((await planPurge(store, Date.now())).doubt).toBeUndefined();
    await running.stop();
    const confirmed = await startNewsletter(before.place);
    await waitUntil(async () =>
      expect(await confirmed.store.db.selectFrom('visits').selectAll().execute()).toEqual([]),
    );
  });

  test.each([
    [5, 5, undefined],
    [6, 54, undefined],
    [7, 53, '7 of 60 people would go at once'],
  ])('a purge of %i people beside %i others waits for the owner where that is unusual', async (old, recent, doubt) => {
    const store = await openFreshStore(name);
    await seedSubscribers(store, old, { prefix: 'old', engagedDaysAgo: OLD });
    await seedSubscribers(store, recent, { prefix: 'recent', engagedDaysAgo: 1 });
    const now = Date.now();
    await setLastPurge({ store }, now - DAY);
    const options = { secret: 'of a test', outbox: join(store.place, 'outbox'), now };
    expect(await purge(store, options)).toMatchObject({
      leaving: old,
      erased: doubt ? 0 : old,
      ...(doubt && { doubt }),
    });
  });
});

test('a purge that cannot remove the mail files of the erased fails, and says so', async () => {
  const running = await startNewsletter();
  const { place, store, command } = running;
  await waitForRetention(running);
  await seedSubscribers(store, 1, { engagedDaysAgo: OLD });
  await setLastPurge({ store }, Date.now());
  // A file in the place of the folder, since a test that runs as root may remove any file.
  writeFileSync(join(place.DATA_DIR, 'outbox'), '');
  expect(await command('purge')).toMatchObject({
    code: 1,
    output: '1 erased.\n',
    errors: expect.stringContaining('a file cannot be removed'),
  });
});

test('mails that went out under a clock in the future take nothing from the cap once the clock is right', async () => {
  const smtp = await startSmtp();
  const before = await startNewsletter({ SMTP_URL: 'smtp://127.0.0.1:1' });
  const { db } = before.store;
  const taken_at = toIso(Date.now() + 3 * 365 * DAY);
  const mail = { kind: 'welcome', mailbox_hash: null, taken_at } as const;
  await signUp(before.url);
  await before.newsletter.stopDeliveries();
  await db
    .insertInto('sent_mails')
    .values(['a', 'b', 'c'].map((delivery_id) => ({ ...mail, delivery_id })))
    .execute();
  // The sign-up came under that clock too.
  await db.updateTable('deliveries').set({ queued_at: taken_at, due_at: taken_at, give_up_at: taken_at }).execute();
  await before.stop();
  await startNewsletter({ ...before.place, SMTP_URL: smtp.url, MAIL_HOURLY_CAP: '2' });
  await waitUntil(() => expect(smtp.mails).toHaveLength(1));
});

test('nobody learns from /healthz whether an address is known', async () => {
  const { url, store } = await startNewsletter({ SMTP_URL: 'smtp://127.0.0.1:1' });
  const readHealth = async () => (await fetch(`${url}/healthz`)).text();
  const before = await readHealth();
  await signUp(url);
  expect(await countUnsent(store)).toEqual({ waiting: 1, failed: 0 });
  expect(await readHealth()).toBe(before);
});
