import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Desk } from '#owner/desk/desk-types.ts';
import { addLeaving } from '#owner/desk/leaving.tsx';
import { toIso } from '#store/iso-time.ts';
import { createDelivery } from '#store/new-delivery.ts';
import { startBuiltServer } from './built-server.ts';
import { setLastPurge, waitForRetention } from './erasing.ts';
import { runCommand } from './owner-commands.ts';
import {
  freshStore,
  onEachStore,
  type RunningNewsletter,
  signUp,
  startNewsletter,
  type StoreName,
  waitUntil,
} from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';
import { startSmtp } from './smtp-server.ts';

const DAY = 24 * 3_600_000;
const OLD = 800;

/** A store in which a server has run once, with so many people who are too old to keep, and so many who are not. */
async function storeWith(
  name: StoreName,
  people: { old: number; recent: number },
  lastPurgeDaysAgo = 1,
  add: (running: RunningNewsletter) => Promise<void> = async () => undefined,
) {
  const running = await startNewsletter({}, name);
  await waitForRetention(running);
  await running.newsletter.stopDeliveries();
  await seedSubscribers(running.store, people.old, { prefix: 'old', engagedDaysAgo: OLD });
  await seedSubscribers(running.store, people.recent, { prefix: 'recent', engagedDaysAgo: 1 });
  await add(running);
  await setLastPurge(running, Date.now() - lastPurgeDaysAgo * DAY);
  await running.stop();
  return running.place;
}

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

onEachStore('the list', (name) => {
  test('a clock years ahead erases nobody and nothing before the owner has confirmed how many', async () => {
    // Everybody is too old, and the last purge is long ago: just as if the clock had leapt.
    const place = await storeWith(name, { old: 4, recent: 0 }, OLD, addOldRows);
    const running = await startNewsletter(place);
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
      errors: '--confirm: expected 4, the number of people who would be erased now, but found "3".\n',
    });
    const desk = new Hono();
    const answers: Desk['answers'] = new Map();
    addLeaving(desk, { store, answers, env: running.env } as unknown as Desk);
    const body = new URLSearchParams({ confirmed: 'five' });
    await desk.request('/people/leaving', { method: 'POST', body });
    const [answer] = answers.values();
    expect(answer?.mistake?.message).toContain('but found "five"');
    expect(await people()).toHaveLength(4);
    // The owner has looked at the clock.
    expect(await command('purge', '--confirm', '4')).toMatchObject({ code: 0, output: '4 erased.\n' });
    expect(await people()).toEqual([]);
    await running.stop();
    const confirmed = await startNewsletter(place);
    await waitUntil(async () =>
      expect(await confirmed.store.db.selectFrom('visits').selectAll().execute()).toEqual([]),
    );
  });

  test('more than a tenth and more than five people at once need a confirmation', async () => {
    const few = await startNewsletter(await storeWith(name, { old: 5, recent: 5 }));
    await waitUntil(async () => expect(await few.people()).toHaveLength(5));

    const tenth = await startNewsletter(await storeWith(name, { old: 6, recent: 54 }));
    await waitUntil(async () => expect(await tenth.people()).toHaveLength(54));

    const more = await startNewsletter(await storeWith(name, { old: 7, recent: 53 }));
    await waitUntil(() => expect(more.log.join()).toContain('7 of 60 people would go at once'));
    expect(await more.people()).toHaveLength(60);
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
  const place = await freshStore();
  const server = await startBuiltServer({ ...place, SMTP_URL: 'smtp://127.0.0.1:1' });
  const readHealth = async () => (await fetch(`${server.url}/healthz`)).text();
  const before = await readHealth();
  await signUp(server.url);
  expect(await readHealth()).toBe(before);
  const { deliveries } = JSON.parse((await runCommand(place, 'status', '--json')).output);
  expect(deliveries).toEqual({ waiting: 1, failed: 0 });
});
