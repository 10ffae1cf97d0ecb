import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { erase, findErasure } from '#newsletter/subscribers/erase.ts';
import { purge } from '#newsletter/retention/purge.ts';
import { removeErasedBytes } from '#newsletter/retention/erased-bytes.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { erasureOptions, setLastPurge, waitForRetention } from '../setup/erasing.ts';
import { onEachStore, signUp, startNewsletter, waitUntil, waitUntilSent } from '../setup/running-newsletter.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

const DAY = 24 * 3_600_000;

onEachStore('the list', (name) => {
  test('removes an erased person from every table and the outbox, except for a hash', async () => {
    const running = await startNewsletter({ NOTIFY_TO: 'owner@agency.example' }, name);
    await signUp(running.url, { email: 'Anna@example.org' });
    await signUp(running.url, { email: 'ben@example.org' });
    await waitUntilSent(running.store);
    const { store } = running;
    const { secret } = running.newsletter;
    expect(await erase(store, ' ANNA@EXAMPLE.org', erasureOptions(running))).toEqual({
      isFound: true,
      filesRemain: false,
    });
    expect(await erase(store, 'Anna@example.org', erasureOptions(running))).toEqual({
      isFound: false,
      filesRemain: false,
    });

    const tables = ['subscribers', 'consent_records', 'deliveries', 'sent_mails', 'metadata'] as const;
    const everything = await Promise.all(tables.map((table) => store.db.selectFrom(table).selectAll().execute()));
    expect(JSON.stringify(everything)).not.toMatch(/anna/i);
    expect(JSON.stringify(everything)).toContain('ben@example.org');
    const outbox = join(running.env.DATA_DIR, 'outbox');
    const mails = readdirSync(outbox).map((file) => readFileSync(join(outbox, file), 'utf8'));
    expect(mails).toHaveLength(2);
    expect(mails.join()).not.toMatch(/anna/i);
    expect(await findErasure(store.db, 'Anna@example.org', secret)).toMatchObject({ why: 'asked' });
    expect(await findErasure(store.db, 'ben@example.org', secret)).toBeUndefined();
  });

  test('erases people two years after their last engagement, or after 30 days if they haven’t confirmed, and no sooner', async () => {
    const running = await startNewsletter({}, name);
    const { store, people } = running;
    await running.newsletter.stopDeliveries();
    const now = Date.parse('2028-06-15T12:00:00.000Z');
    const engagements = [
      ['old', 'unsubscribed', '2026-06-15T11:59:59.000Z'],
      ['almost', 'unsubscribed', '2026-06-15T12:00:01.000Z'],
      ['silent', 'pending', '2028-05-16T11:59:59.000Z'],
      ['asked', 'pending', '2028-05-16T12:00:01.000Z'],
      ['confirmed', 'subscribed', '2028-05-16T11:59:59.000Z'],
    ] as const;
    for (const [prefix, state, engaged_at] of engagements) {
      const [email] = await seedSubscribers(store, 1, { prefix, state });
      await store.db.updateTable('subscribers').set({ engaged_at }).where('email', '=', email!).execute();
    }
    await setLastPurge(running, now - DAY);
    await purge(store, erasureOptions(running, now));
    const kept = ['almost0@example.org', 'asked0@example.org', 'confirmed0@example.org'];
    expect((await people()).map(({ email }) => email)).toEqual(kept);
  });

  test('leaves a person who signs up while being erased either erased or on the list as a new person', async () => {
    const running = await startNewsletter({ TRUSTED_PROXY_HEADER: 'X-Client' }, name);
    const { store } = running;
    for (let round = 0; round < 5; round += 1) {
      const again = Array.from({ length: 3 }, (_, index) =>
        signUp(running.url, {}, { 'X-Client': `198.51.${round}.${index}` }),
      );
      const answers = await Promise.all([...again, erase(store, 'anna@example.org', erasureOptions(running))]);
      expect(answers.slice(0, -1).map((answer) => (answer as Response).status)).toEqual([200, 200, 200]);
      const known = new Set<string | null>((await running.people()).map(({ id }) => id));
      for (const table of ['deliveries', 'consent_records'] as const) {
        const rows = await store.db.selectFrom(table).select('subscriber_id').execute();
        expect(rows.filter(({ subscriber_id: id }) => id !== null && !known.has(id))).toEqual([]);
      }
    }
  });
});

test('sends three confirmations to somebody who signs up again after every erasure, and the next a day later', async () => {
  const running = await startNewsletter();
  const { store } = running;
  // A welcome, then three confirmations.
  for (let mails = 0; mails < 4; mails += 1) {
    await signUp(running.url, { email: 'anna@example.org' });
    await waitUntilSent(store);
    await erase(store, 'anna@example.org', erasureOptions(running));
  }
  await signUp(running.url, { email: 'anna@example.org' });
  await waitUntil(async () => {
    const [delivery] = await running.deliveries();
    expect(Date.parse(delivery!.due_at)).toBeGreaterThan(Date.now() + DAY / 2);
  });
});

test('doesn’t erase a person who returns during a purge', async () => {
  const running = await startNewsletter();
  const { store, people } = running;
  await waitForRetention(running);
  await seedSubscribers(store, 60, { engagedDaysAgo: 800, state: 'unsubscribed' });
  const comeBack = store.db.updateTable('subscribers').set({ engaged_at: toIso(Date.now()) });
  const transaction: Store['transaction'] = async (work) => {
    const done = await store.transaction(work);
    const others = await people();
    // After the first batch of fifty.
    if (others.length === 10) await comeBack.where('id', '=', others[0]!.id).execute();
    return done;
  };
  await purge({ ...store, transaction }, erasureOptions(running));
  expect(await people()).toHaveLength(1);
});

test('removes an orphaned email file or draft at the next erasure', async () => {
  const running = await startNewsletter();
  await signUp(running.url);
  await waitUntilSent(running.store);
  const outbox = join(running.env.DATA_DIR, 'outbox');
  const [kept] = readdirSync(outbox);
  const late = '019aa000-0000-7000-8000-000000000000';
  for (const file of [`${late}.eml`, `.${late}`, 'notes.txt']) writeFileSync(join(outbox, file), 'anna@example.org');
  writeFileSync(join(outbox, `.${kept?.replace('.eml', '')}`), 'anna@example.org');
  await erase(running.store, 'nobody@example.org', erasureOptions(running));
  expect(readdirSync(outbox).filter((file) => file.includes(late))).toEqual([]);
  await erase(running.store, 'anna@example.org', erasureOptions(running));
  expect(readdirSync(outbox)).toEqual(['notes.txt']);
});

test('removes an erased person from the journal at once, or once no other program is reading it', async () => {
  const running = await startNewsletter();
  await running.newsletter.stopDeliveries();
  for (const person of ['notErasable', 'gone']) await signUp(running.url, { email: `${person}@example.org` });
  const { DATA_DIR } = running.env;
  const readFiles = () => {
    const files = readdirSync(DATA_DIR).filter((name) => name.startsWith('sign-ups'));
    return files.map((file) => readFileSync(join(DATA_DIR, file), 'latin1')).join('');
  };
  await erase(running.store, 'gone@example.org', erasureOptions(running));
  expect(readFiles()).not.toContain('gone@example.org');
  const reader = new DatabaseSync(join(DATA_DIR, 'sign-ups.db'), { readOnly: true });
  reader.exec('begin; select count(*) from subscribers');
  await erase(running.store, 'notErasable@example.org', erasureOptions(running));
  expect(readFiles()).toContain('notErasable');
  reader.close();
  await removeErasedBytes(running.store, Date.now());
  expect(readFiles()).not.toContain('notErasable');
});
