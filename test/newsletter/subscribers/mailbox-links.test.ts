import { join } from 'node:path';
import { expect, test } from 'vitest';
import { erase } from '#newsletter/subscribers/erase.ts';
import { createDelivery } from '#newsletter/deliveries/queue/new-delivery.ts';
import type { Delivery } from '#newsletter/database/schema.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { readPage } from '../../read-page.ts';
import { content } from '../../test-content.ts';
import { erasureOptions } from '../setup/erasing.ts';
import { runCommand } from '../setup/owner-commands.ts';
import { readStates } from '../setup/quiet-list.ts';
import {
  freshStore,
  onEachStore,
  signUp,
  startNewsletter,
  startWithSmtp,
  waitForLock,
  waitUntil,
} from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

const SHARED = { SIGNING_SECRET: 'a secret that both stores of a test share' };

/** The path of the unsubscribe link in the first email to somebody who signs up. */
async function signUpForLink({ email = 'anna@example.org', name = 'SQLite' as const, variables = {} } = {}) {
  const { smtp, running } = await startWithSmtp(name, { ...SHARED, ...variables });
  await signUp(running.url, { email });
  await waitUntil(() => expect(smtp.mails).toHaveLength(1));
  const path = /\/newsletter\/unsubscribe\/(\S+)/.exec(smtp.mails[0]?.text ?? '');
  return { running, path: path?.[0] ?? '' };
}

async function readTitle(answer: Response): Promise<string> {
  return readPage(await answer.text()).title;
}

test('unsubscribes somebody who was erased and signed up again by an old link', async () => {
  const { running, path } = await signUpForLink();
  await erase(running.store, 'anna@example.org', erasureOptions(running));
  await signUp(running.url, { email: 'anna@example.org' });
  await running.store.db.updateTable('subscribers').set({ state: 'subscribed' }).execute();
  await fetch(running.url + path, { method: 'POST' });
  expect(await readStates(running)).toEqual(['anna@example.org unsubscribed']);
});

test.each([
  ['an-na@bücher.example', 'AN-NA+news@xn--bcher-kva.example'],
  ['anna.smith@gmail.com', 'a.nnasmith+x@googlemail.com'],
])('unsubscribes %s and %s by a link sent to the first, and nobody else', async (email, other) => {
  const { running, path } = await signUpForLink({ email });
  await signUp(running.url, { email: other });
  await signUp(running.url, { email: 'ben@example.org' });
  expect((await fetch(running.url + path, { method: 'POST' })).status).toBe(200);
  const both = (await running.people()).map(({ state }) => state);
  expect(both.toSorted()).toEqual(['subscribed', 'unsubscribed']);
});

onEachStore('a list that moved', (name) => {
  test('keeps its old links working after an export and import if it kept the secret', async () => {
    const { running, path } = await signUpForLink();
    const file = join(running.env.DATA_DIR, 'people.csv');
    expect((await runCommand({ ...running.place, ...SHARED }, 'export', '--file', file)).errors).toBe('');
    const move = async (secret: Record<string, string>) => {
      const moved = await startNewsletter({ ...(await freshStore(name)), ...secret });
      await moved.newsletter.stopDeliveries();
      expect((await runCommand({ ...moved.place, ...secret }, 'import', file)).errors).toBe('');
      return moved;
    };
    const moved = await move(SHARED);
    const done = await fetch(moved.url + path, { method: 'POST' });
    expect(await readTitle(done)).toContain(content.pages.unsubscribed.title);
    expect(await readStates(moved)).toEqual(['anna@example.org unsubscribed']);

    const stranger = await move({ SIGNING_SECRET: 'a secret of its own, with 32 characters' });
    const refused = await fetch(stranger.url + path, { method: 'POST' });
    expect([refused.status, await readTitle(refused)]).toEqual([
      400,
      expect.stringContaining(content.pages.badLink.title),
    ]);
    expect(await readStates(stranger)).toEqual(['anna@example.org subscribed']);
  });

  // SQLite has one connection, so there are never two transactions at once.
  test.runIf(name === 'PostgreSQL')(
    'a sign-up during an unsubscription must be confirmed, and sends no notice',
    async () => {
      const running = await startNewsletter(
        { NOTIFY_TO: 'owner@agency.example', TRUSTED_PROXY_HEADER: 'X-Client' },
        name,
      );
      await running.newsletter.stopDeliveries();
      const { store, newsletter } = running;
      await seedSubscribers(store, 1, { state: 'undeliverable', prefix: 'anna', secret: newsletter.secret });
      const email = 'anna0@example.org';
      const left = Promise.withResolvers<void>();
      const isLocked = Promise.withResolvers<void>();
      const unsubscribing = store.db.transaction().execute(async (tx) => {
        const gone = { state: 'unsubscribed', state_changed_at: toIso(Date.now()) } as const;
        await tx.updateTable('subscribers').set(gone).execute();
        isLocked.resolve();
        await left.promise;
      });
      await isLocked.promise;
      const signingUp = signUp(running.url, { email });
      await waitForLock(store);
      left.resolve();
      await unsubscribing;
      expect((await signingUp).status).toBe(200);
      expect((await running.deliveries()).map(({ kind }) => kind)).toEqual(['confirmation']);
      expect(await readStates(running)).toEqual(['anna0@example.org unsubscribed']);
    },
  );

  test('rejects impossible rows by the database’s constraints', async () => {
    const { store } = await startNewsletter({}, name);
    await seedSubscribers(store, 1);
    const { id } = await store.db.selectFrom('subscribers').select('id').executeTakeFirstOrThrow();
    const record = { id: 'x', event: 'given', source: '', at: '', wording_version: null } as const;
    const addRecord = (fields: object) =>
      store.db
        .insertInto('consent_records')
        .values({ ...record, subscriber_id: id, ...fields })
        .execute();
    for (const wrong of [{ subscriber_id: 'nobody' }, { event: 'forgotten' }, { wording_version: 'unknown' }]) {
      await expect(addRecord(wrong)).rejects.toThrow(/constraint/i);
    }
    await addRecord({});
    const mail = createDelivery('welcome', id, {}, Date.now());
    for (const wrong of [{ subscriber_id: null }, { kind: 'update' }, { fault: 'mood' }]) {
      const delivery = { ...mail, ...(wrong as Partial<Delivery>) };
      await expect(store.db.insertInto('deliveries').values(delivery).execute()).rejects.toThrow(/constraint/i);
    }
    await store.db.deleteFrom('subscribers').execute();
    expect(await store.db.selectFrom('consent_records').selectAll().execute()).toHaveLength(0);
  });
});
