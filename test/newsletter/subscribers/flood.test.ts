import { expect, test } from 'vitest';
import { markUndeliverable } from '#newsletter/bounces/undeliverable.ts';
import { endFlood } from '#newsletter/subscribers/sign-up-flood.ts';
import { findOwnerTasks } from '#newsletter/weekly-mail/find-owner-tasks.ts';
import { type CheckedSignUp, subscribe } from '#newsletter/subscribers/subscribe.ts';
import { normaliseEmail } from '#newsletter/subscribers/email.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { onEachStore } from '../setup/running-newsletter.ts';
import { findOnlyPerson, openFreshStore } from '../setup/run-queue.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

const env = parseEnvironment({ NOTIFY_TO: 'owner@larkfield.example' });

function makeSignUp(email: string): CheckedSignUp {
  const fields = { ...optionalFields(() => ''), email, normalisedEmail: normaliseEmail(email)!, source: 'Footer' };
  return { ...fields, form: 'Footer', wordingVersion: null, evidence: 'vouched for by the sender' };
}

onEachStore('far more sign-ups than usual', (name) => {
  test('are asked to confirm, with one alert instead of notices, until the owner says that they are real', async () => {
    const store = await openFreshStore(name);
    const now = Date.now();
    const signUp = (email: string, at = now) => subscribe(store, makeSignUp(email), { env, secret: 'any' }, at);
    for (let each = 0; each < 60; each += 1) await signUp(`stranger${each}@example.org`);
    const count = async (kind: 'notice' | 'alert' | 'welcome' | 'confirmation') => {
      const rows = store.db
        .selectFrom('deliveries')
        .select('id')
        .where('kind', '=', kind)
        .where('state', '=', 'waiting');
      return (await rows.execute()).length;
    };
    expect([await count('notice'), await count('alert'), await count('confirmation')]).toEqual([0, 1, 41]);
    expect(await findOwnerTasks(store, env, now)).toContainEqual(expect.objectContaining({ kind: 'flood' }));
    await endFlood(store, now);
    await signUp('real@example.org', now + 60_000);
    expect([await count('notice'), await count('alert')]).toEqual([1, 1]);
  });
});

test('welcomes up to three times as many sign-ups as in the busiest earlier hour', async () => {
  const store = await openFreshStore();
  const signUpMany = async (count: number, name: string, at: number) => {
    for (let each = 0; each < count; each += 1) {
      await subscribe(store, makeSignUp(`${name}${each}@example.org`), { env, secret: 'any' }, at);
    }
    return (await store.db.selectFrom('subscribers').select('id').where('state', '=', 'pending').execute()).length;
  };
  const now = Date.now();
  // Imported people don't count towards the usual number of sign-ups.
  await seedSubscribers(store, 100);
  expect(await signUpMany(15, 'earlier', now - 3 * 24 * 3_600_000)).toBe(0);
  expect(await signUpMany(25, 'real', now)).toBe(0);
  expect(await signUpMany(30, 'stranger', now)).toBeGreaterThan(0);
});

test('alerts the owner even if everybody has to confirm anyway, and still sends earlier notices', async () => {
  const store = await openFreshStore();
  const now = Date.now();
  await subscribe(store, makeSignUp('ben@example.org'), { env, secret: 'any' }, now - 3 * 24 * 3_600_000);
  const strict = { ...env, DOUBLE_OPT_IN: true };
  for (let each = 0; each < 30; each += 1) {
    await subscribe(store, makeSignUp(`stranger${each}@example.org`), { env: strict, secret: 'any' }, now);
  }
  const waiting = await store.db.selectFrom('deliveries').select('kind').where('state', '=', 'waiting').execute();
  const kinds = waiting.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'alert')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'notice')).toHaveLength(1);
});

test('erases a sign-up that nobody confirmed after thirty days, however often a stranger repeats it', async () => {
  const store = await openFreshStore();
  const start = Date.now() - 40 * DAY_MS;
  const strict = { ...env, DOUBLE_OPT_IN: true };
  for (let day = 0; day < 40; day += 3) {
    await subscribe(store, makeSignUp('anna@example.org'), { env: strict, secret: 'any' }, start + day * DAY_MS);
  }
  expect(Date.parse((await findOnlyPerson(store)).engaged_at)).toBe(start);
});

test('welcomes an undeliverable mailbox at most six times a month', async () => {
  const store = await openFreshStore();
  const start = Date.now() - 10 * DAY_MS;
  for (let hour = 0; hour < 4 * 24; hour += 6) {
    const now = start + hour * 3_600_000;
    await subscribe(store, makeSignUp('anna@example.org'), { env, secret: 'any' }, now);
    const { id } = await findOnlyPerson(store);
    await store.db.updateTable('deliveries').set({ state: 'failed' }).where('state', '=', 'waiting').execute();
    await store.transaction((tx) => markUndeliverable(tx, id, '550 5.1.1 no such user', now + 1000));
  }
  const rows = await store.db.selectFrom('deliveries').select('kind').execute();
  expect(rows.filter(({ kind }) => kind === 'welcome')).toHaveLength(6);
  expect(rows.filter(({ kind }) => kind === 'notice')).toHaveLength(6);
});

const DAY_MS = 24 * 3_600_000;
