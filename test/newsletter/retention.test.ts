import { expect, test } from 'vitest';
import { iso } from '#store/iso-time.ts';
import { runCommand, startBuiltServer } from './built-server.ts';
import { setLastPurge, waitForRetention } from './erasing.ts';
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
import { startSmtp } from './smtp-sink.ts';

const DAY = 24 * 3_600_000;

async function count({ newsletter }: RunningNewsletter): Promise<number> {
  return (await newsletter.store.db.selectFrom('subscribers').select('id').execute()).length;
}

const OLD = 800;

/** A store in which a server has run once, with so many people who are too old to keep, and so many who are not. */
async function storeWith(name: StoreName, people: { old: number; recent: number }, lastPurgeDaysAgo = 1) {
  const variables = await freshStore(name);
  const running = await startNewsletter(variables);
  const { store } = running.newsletter;
  await waitForRetention(running);
  await seedSubscribers(store, people.old, { prefix: 'old', engagedDaysAgo: OLD });
  await seedSubscribers(store, people.recent, { prefix: 'recent', engagedDaysAgo: 1 });
  await setLastPurge(running, Date.now() - lastPurgeDaysAgo * DAY);
  await running.stop();
  return { PATH: process.env.PATH ?? '', ...variables };
}

onEachStore('the list', (name) => {
  test('a clock years ahead erases nobody before the owner has confirmed how many', async () => {
    // Everybody is too old, and the last purge is long ago: just as if the clock had leapt.
    const variables = await storeWith(name, { old: 4, recent: 0 }, OLD);
    const running = await startNewsletter(variables);
    await waitUntil(() => expect(running.log.join()).toContain('Retention: held back'));
    expect(await count(running)).toBe(4);
    expect(runCommand(variables, 'status').output).toContain('purge --confirm 4');
    const { retention } = JSON.parse(runCommand(variables, 'status', '--json').output);
    expect(retention).toMatchObject({ leaving: 4, doubt: expect.stringContaining('800 days after the last purge') });

    expect(runCommand(variables, 'purge')).toMatchObject({ code: 1, output: '' });
    expect(runCommand(variables, 'purge', '--confirm', '3')).toMatchObject({ code: 1, output: '' });
    expect(await count(running)).toBe(4);
    expect(runCommand(variables, 'purge', '--confirm', '4')).toMatchObject({ code: 0, output: '4 erased.\n' });
    expect(await count(running)).toBe(0);
  });

  test('more than a tenth and more than five people at once need a confirmation', async () => {
    const few = await startNewsletter(await storeWith(name, { old: 5, recent: 5 }));
    await waitUntil(async () => expect(await count(few)).toBe(5));

    const tenth = await startNewsletter(await storeWith(name, { old: 6, recent: 54 }));
    await waitUntil(async () => expect(await count(tenth)).toBe(54));

    const more = await startNewsletter(await storeWith(name, { old: 7, recent: 53 }));
    await waitUntil(() => expect(more.log.join()).toContain('7 of 60 people would go at once'));
    expect(await count(more)).toBe(60);
  });
});

test('mails that went out under a clock in the future take nothing from the cap once the clock is right', async () => {
  const smtp = await startSmtp();
  const variables = { ...(await freshStore('SQLite')), SMTP_URL: smtp.url, MAIL_HOURLY_CAP: '2' };
  const before = await startNewsletter({ ...variables, SMTP_URL: 'smtp://127.0.0.1:1' });
  const { db } = before.newsletter.store;
  const taken_at = iso(Date.now() + 3 * 365 * DAY);
  const slots = ['a', 'b', 'c'].map((delivery_id) => ({
    delivery_id,
    kind: 'welcome' as const,
    mailbox_hash: null,
    taken_at,
  }));
  await signUp(before.url);
  await before.newsletter.stopDeliveries();
  await db.insertInto('sent_mails').values(slots).execute();
  // The sign-up came under that clock too.
  await db.updateTable('deliveries').set({ queued_at: taken_at, due_at: taken_at, give_up_at: taken_at }).execute();
  await before.stop();
  await startNewsletter(variables);
  await waitUntil(() => expect(smtp.mails).toHaveLength(1));
});

test('nobody learns from /healthz whether an address is known', async () => {
  const variables = await freshStore('SQLite');
  const server = await startBuiltServer({ ...variables, SMTP_URL: 'smtp://127.0.0.1:1' });
  const before = await (await fetch(`${server.url}/healthz`)).text();
  await signUp(server.url, {});
  const after = await fetch(`${server.url}/healthz`);
  expect(await after.text()).toBe(before);
  const { deliveries } = JSON.parse(runCommand(variables, 'status', '--json').output);
  expect(deliveries).toEqual({ waiting: 1, failed: 0 });
});
