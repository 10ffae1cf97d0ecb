import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { FormResult, WritingDesk } from '#desk/desk-types.ts';
import { renderPages } from '#desk/frame.tsx';
import { addWriting } from '#desk/writing.tsx';
import { countAudience } from '#newsletter/updates/audience.ts';
import { findScheduled, replaceScheduled } from '#newsletter/updates/queue-update.ts';
import { retryUpdate } from '#newsletter/deliveries/queue/retry-deliveries.ts';
import { planSending, queueForSending, sendInstead } from '#newsletter/updates/plan-sending.ts';
import type { ReadUpdate } from '#newsletter/updates/read-update-file.ts';
import { writeEmail } from '#newsletter/updates/stored-emails.ts';
import { findUpdateResults } from '#newsletter/updates/update-results.ts';
import { pauseUpdate, resumeUpdate } from '#newsletter/updates/update-state.ts';
import { findOwnerTasks } from '#newsletter/weekly-mail/find-owner-tasks.ts';
import { unsubscribe } from '#newsletter/subscribers/unsubscribe.ts';
import { parseEnvironment } from '#settings/environment.ts';
import { CAPS, queueForAll, TEMPLATE } from '../setup/queue-for-all.ts';
import {
  findOnlyPerson,
  jumpingClock,
  openFreshStore,
  readNewest,
  readRecipients,
  runQueue,
  startStoreAndSmtp,
  waitForState,
} from '../setup/run-queue.ts';
import { content } from '../../test-content.ts';
import { freshStore, openPlace, waitUntil } from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';

const HOUR_MS = 3600_000;

test('sends an update again to people who received it with an earlier text only if the owner says so', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  const first = await seedSubscribers(store, 3);
  await queueForAll(store);
  await runQueue(store, smtp.url);
  await waitForState(store, 'sent');
  const late = await seedSubscribers(store, 2, { prefix: 'late' });
  const corrected = { file: 'update.md', textHash: 'corrected' };
  expect(await countAudience(store.db, corrected)).toMatchObject({ total: 2, hadEarlier: 3, alreadySent: 0 });
  expect(await countAudience(store.db, { ...corrected, again: true })).toMatchObject({ total: 5, hadEarlier: 3 });
  await queueForAll(store, { textHash: 'corrected' });
  await waitUntil(() => expect(readRecipients(smtp)).toEqual([...first, ...late].toSorted()));
});

test('asks the owner to tick the box if everybody got an earlier version', async () => {
  const place = await freshStore();
  const store = await openPlace(place);
  await seedSubscribers(store, 3);
  await queueForAll(store, { file: 'pay.md' });
  const at = new Date().toISOString();
  await store.db.updateTable('deliveries').set({ state: 'sent', finished_at: at }).execute();
  await store.db.updateTable('updates').set({ state: 'sent', finished_at: at }).execute();
  const writing = { subject: 'Pay', preview: 'What it was', text: 'Corrected' };
  await writeEmail(store, { name: 'pay', writing, by: '', seen: undefined });
  const env = parseEnvironment({ ...place, SMTP_URL: 'smtp://mail.example', SITE_URL: 'https://site.example' });
  const places = { updates: place.DATA_DIR, public: place.DATA_DIR };
  const desk = {
    content,
    store,
    env,
    secret: '',
    places,
    picturesKey: '',
    results: new Map<string, FormResult>(),
    log: () => undefined,
  };
  const app = new Hono();
  app.use(renderPages(desk as unknown as WritingDesk));
  addWriting(app, desk as unknown as WritingDesk);
  const page = await (await app.request('/desk/updates/write/pay')).text();
  expect(page).toContain('Also send it to the 3 people who got an earlier version');
  expect(page).toContain('Tick the box, then type 3 to send it to 3 people');
  const body = new URLSearchParams({ action: 'send', count: '3', when: 'now', date: '', time: '', revision: '1' });
  const response = await app.request('/desk/updates/write/pay', { method: 'POST', body });
  expect(response.status).toBe(303);
  const [{ error } = { error: undefined }] = desk.results.values();
  expect(error?.message).toContain('Everybody it is for got an earlier version of it (3 people).');
  await seedSubscribers(store, 2, { prefix: 'late' });
  const both = await (await app.request('/desk/updates/write/pay')).text();
  expect(both).toContain('Type 2 to send it to 2 people, or 5 if you tick the box');
});

test('doesn’t retry an earlier text for people who have received a corrected one since', async () => {
  const store = await openFreshStore();
  await seedSubscribers(store, 3);
  const id = await queueForAll(store);
  const at = new Date().toISOString();
  const ended = { state: 'failed', finished_at: at, last_error: '450 4.7.1 later' } as const;
  await store.db.updateTable('deliveries').set(ended).execute();
  await store.db.updateTable('updates').set({ state: 'sent', finished_at: at }).execute();
  const { id: other } = await store.db.selectFrom('subscribers').select('id').executeTakeFirstOrThrow();
  await store.db.updateTable('subscribers').set({ role: 'Other' }).where('id', '=', other).execute();
  await queueForAll(store, { textHash: 'corrected', roles: [''] });
  expect(await findUpdateResults(store.db, { id })).toMatchObject({ retryable: 1 });
  expect(await retryUpdate(store, id, Date.now())).toMatchObject({ retried: 1 });
});

test('doesn’t send an update again to anybody just because it has another name', async () => {
  const store = await openFreshStore();
  await seedSubscribers(store, 3);
  const textHash = '0123456789abcdef';
  await queueForAll(store, { file: 'pay.md', textHash });
  const renamed = { file: '2026-11-pay.md', textHash };
  expect(await countAudience(store.db, renamed)).toMatchObject({ total: 0, waiting: 3 });
  await store.db.updateTable('deliveries').set({ state: 'sent', finished_at: new Date().toISOString() }).execute();
  await store.db.updateTable('updates').set({ state: 'sent' }).execute();
  expect(await countAudience(store.db, renamed)).toMatchObject({ total: 0, alreadySent: 3, hadEarlier: 0 });
});

test('sends a scheduled update to the people on the list when it begins, with the text that replaced the earlier one', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  const [left = '', ...stays] = await seedSubscribers(store, 3);
  const clock = jumpingClock();
  const sendAt = clock.now() + HOUR_MS;
  const id = await queueForAll(store, { now: clock.now(), sendAt });
  const corrected = { file: 'update.md', textHash: 'corrected' };
  expect(await findScheduled(store.db, corrected)).toMatchObject({ id, sendAt, isSame: false });
  await expect(queueForAll(store, { textHash: 'corrected' })).rejects.toThrow('is already queued');
  const template = { subject: 'Pay, corrected', html: '<p>Pay</p>', text: 'Pay' };
  expect(await replaceScheduled(store, id, { ...corrected, template, expected: 3 })).toBe(true);
  const joined = await seedSubscribers(store, 1, { prefix: 'joined' });
  await store.db.updateTable('subscribers').set({ state: 'unsubscribed' }).where('email', '=', left).execute();
  clock.set(sendAt);
  await runQueue(store, smtp.url, { clock });
  await waitForState(store, 'sent');
  expect(readRecipients(smtp)).toEqual([...stays, ...joined].toSorted());
  expect(await readNewest(store)).toMatchObject({ subject: 'Pay, corrected', recipients: 3, sent: 3 });
});

test('says that the earlier version is paused, and counts everybody whom a version sent instead of it goes to', async () => {
  const store = await openFreshStore();
  await seedSubscribers(store, 3);
  await queueForAll(store);
  const at = new Date().toISOString();
  await store.db.updateTable('deliveries').set({ state: 'sent', finished_at: at }).execute();
  await store.db.updateTable('updates').set({ state: 'sent', finished_at: at }).execute();
  await seedSubscribers(store, 1, { prefix: 'late' });
  const env = parseEnvironment({ SMTP_URL: 'smtp://mail.example', SITE_URL: 'https://site.example' });
  const makeUpdate = (textHash: string) =>
    ({
      file: 'update.md',
      update: { textHash, images: [] },
      template: TEMPLATE,
      source: '',
      pictures: [],
    }) as unknown as ReadUpdate;
  const sendAt = Date.now() + 7 * 24 * HOUR_MS;
  const plan = await planSending({ env, store }, makeUpdate('second'), { sendAt, again: true });
  const id = await queueForSending({ env, store }, makeUpdate('second'), plan);
  const third = makeUpdate('third');
  expect((await planSending({ env, store }, third)).problem).toMatch(/^The earlier version goes out on /);
  await pauseUpdate(store.db, id, 'for a test');
  expect((await planSending({ env, store }, third)).problem).toMatch(/^The earlier version was to go out on .+ paused/);
  expect(await sendInstead({ env, store }, third)).toMatchObject({ id });
  expect(await readNewest(store)).toMatchObject({ recipients: 4 });
});

test('begins a scheduled update that was paused past its time when it is resumed', async () => {
  const { smtp, store } = await startStoreAndSmtp();
  const people = await seedSubscribers(store, 2);
  const clock = jumpingClock();
  const sendAt = clock.now() + HOUR_MS;
  const id = await queueForAll(store, { now: clock.now(), sendAt });
  await pauseUpdate(store.db, id, 'for a test');
  clock.set(sendAt + HOUR_MS);
  expect(await resumeUpdate(store, id, CAPS, clock.now())).toBe('scheduled');
  await runQueue(store, smtp.url, { clock });
  await waitForState(store, 'sent');
  expect(readRecipients(smtp)).toEqual(people.toSorted());
});

test('still counts people who unsubscribed after an update, even if it was paused and resumed', async () => {
  const store = await openFreshStore();
  await seedSubscribers(store, 1);
  const now = Date.now();
  const id = await queueForAll(store, { now });
  const at = new Date(now).toISOString();
  await store.db.updateTable('deliveries').set({ state: 'sent', finished_at: at }).execute();
  await unsubscribe(store, (await findOnlyPerson(store)).id, 'unsubscribe link', parseEnvironment({}), now + 1000);
  await pauseUpdate(store.db, id, 'for a test');
  await resumeUpdate(store, id, CAPS, now + HOUR_MS);
  expect(await findUpdateResults(store.db, { id })).toMatchObject({ unsubscribed: 1 });
});

test('tells the owner for a week how many people missed an update', async () => {
  const store = await openFreshStore();
  await seedSubscribers(store, 3);
  const now = Date.now();
  const id = await queueForAll(store, { now });
  const at = new Date(now).toISOString();
  const ended = { state: 'failed', finished_at: at, last_error: '450 4.7.1 later' } as const;
  await store.db.updateTable('deliveries').set(ended).execute();
  await store.db.updateTable('updates').set({ state: 'sent', finished_at: at }).execute();
  const findTasks = async (time: number) =>
    (await findOwnerTasks(store, parseEnvironment({}), time)).filter((task) => task.id === id);
  expect(await findTasks(now)).toMatchObject([{ kind: 'update', title: '3 people missed your update' }]);
  expect(await findTasks(now + 8 * 24 * HOUR_MS)).toEqual([]);
  await store.db.updateTable('subscribers').set({ state: 'unsubscribed' }).execute();
  expect(await findTasks(now)).toEqual([]);
});
