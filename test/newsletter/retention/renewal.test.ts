import { expect, test } from 'vitest';
import { readMetadata } from '#newsletter/database/metadata.ts';
import { correctPerson } from '#newsletter/subscribers/correct-person.ts';
import { purge } from '#newsletter/retention/purge.ts';
import { describeUpcomingErasures, queueRenewals, readUpcomingErasures } from '#newsletter/retention/renewals.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { erasureOptions, setLastPurge, waitForRetention } from '../setup/erasing.ts';
import { unsubscribe } from '#newsletter/subscribers/unsubscribe.ts';
import {
  freshStore,
  onEachStore,
  openPlace,
  signUp,
  startNewsletter,
  startWithSmtp,
  type StoreName,
  waitUntil,
} from '../setup/running-newsletter.ts';
import { seedSubscribers } from '../setup/seed-subscribers.ts';
import { content } from '../../test-content.ts';

const DAY = 24 * 3_600_000;

/** A server whose only reader has been inactive for 710 days and has been asked. */
async function startAsked(name: StoreName = 'SQLite') {
  const { smtp, running } = await startWithSmtp(name);
  const { store, newsletter } = running;
  await waitForRetention(running);
  await seedSubscribers(store, 1, { engagedDaysAgo: 710, secret: newsletter.secret });
  await seedSubscribers(store, 1, { prefix: 'early', engagedDaysAgo: 690, secret: newsletter.secret });
  const now = Date.now();
  expect([await queueRenewals(store, now), await queueRenewals(store, now)]).toEqual([1, 0]);
  await waitUntil(async () => expect((await running.deliveries())[0]?.state).toBe('sent'));
  expect(smtp.mails).toMatchObject([{ to: 'reader0@example.org' }]);
  const link = /http:\S+\/newsletter\/renew\/\S+/.exec(smtp.mails[0]?.text ?? '')?.[0] ?? '';
  const purgeLater = async (days: number, lastPurge = days - 1) => {
    await setLastPurge(running, now + lastPurge * DAY);
    await purge(store, erasureOptions(running, now + days * DAY));
    return (await running.people()).map(({ email }) => email);
  };
  return { running, link, now, purgeLater };
}

onEachStore('the renewal question', (name) => {
  test('is asked once, and the person is erased thirty days later if they don’t reply, never sooner', async () => {
    const { running, purgeLater, now } = await startAsked(name);
    const upcoming = await readUpcomingErasures(running.store.db);
    expect(upcoming.people).toBe(1);
    expect(Date.parse(upcoming.firstAt ?? '')).toBeGreaterThanOrEqual(now + 30 * DAY);
    expect(describeUpcomingErasures(upcoming)).toMatch(/^1 person was asked .* erased from \d+ \w+ \d{4}\.$/);
    expect(await purgeLater(29)).toContain('reader0@example.org');
    expect(await purgeLater(31)).toEqual(['early0@example.org']);
  });
});

test('keeps a person for two more years only if they press the button', async () => {
  const { running, link, purgeLater } = await startAsked();
  const page = await (await fetch(link)).text();
  expect(page).toContain(content.pages.renew.button);
  const [, before] = await running.people();
  expect(Date.parse(before!.engaged_at)).toBeLessThan(Date.now() - 700 * DAY);
  expect(await (await fetch(link, { method: 'POST' })).text()).toContain(content.pages.renewed.text.slice(0, 9));
  expect(await purgeLater(31)).toContain('reader0@example.org');
  expect((await readUpcomingErasures(running.store.db)).people).toBe(0);
});

test('asks nobody, and so erases nobody, while emails are only written to files', async () => {
  const place = await freshStore();
  const store = await openPlace(place);
  await seedSubscribers(store, 1, { engagedDaysAgo: 800 });
  const before = Date.now();
  await setLastPurge({ store }, before - 2 * DAY);
  const running = await startNewsletter(place);
  await waitUntil(async () => expect((await readMetadata(store.db, 'last-purge'))! > toIso(before)).toBe(true));
  await running.newsletter.stopDeliveries();
  expect(await running.people()).toHaveLength(1);
  expect(await running.deliveries()).toEqual([]);
});

test('doesn’t extend the two years by a correction or a stranger’s sign-up', async () => {
  const { running, purgeLater } = await startAsked();
  const { id } = (await running.people()).find(({ email }) => email === 'reader0@example.org')!;
  await correctPerson(running.store, id, { role: '', first_source: 'Footer' });
  expect((await signUp(running.url, { email: 'reader0@example.org' })).status).toBe(200);
  expect(await purgeLater(31)).not.toContain('reader0@example.org');
});

test('gives a person who was asked before the server was off for weeks thirty days from when it is back', async () => {
  const { purgeLater } = await startAsked();
  expect(await purgeLater(30.5, 0)).toContain('reader0@example.org');
  expect(await purgeLater(60)).toContain('reader0@example.org');
  expect(await purgeLater(61)).not.toContain('reader0@example.org');
});

test('asks a person again a month later, and doesn’t erase them, if no mail server accepted the question', async () => {
  const { running, now, purgeLater } = await startAsked();
  await running.newsletter.stopDeliveries();
  await running.store.db
    .updateTable('deliveries')
    .set({ state: 'failed', finished_at: toIso(now) })
    .execute();
  expect(await purgeLater(40)).toContain('reader0@example.org');
  expect(await queueRenewals(running.store, now + 15 * DAY)).toBe(1);
  expect(await queueRenewals(running.store, now + 20 * DAY)).toBe(0);
  expect(await queueRenewals(running.store, now + 31 * DAY)).toBe(1);
});

test('keeps people who unsubscribed off the list by the hash of their mailbox after the two years', async () => {
  const { running, now, purgeLater } = await startAsked();
  const [person] = await running.people();
  await unsubscribe(running.store, person!.id, 'unsubscribe link', running.newsletter.env, now);
  await purgeLater(800);
  expect(await running.people()).not.toContainEqual(expect.objectContaining({ id: person!.id }));
  await signUp(running.url, { email: person!.email });
  expect(await running.people()).toMatchObject([{ email: person!.email, state: 'pending' }]);
});

test('erases nobody before they were asked', async () => {
  const { running } = await startAsked();
  await seedSubscribers(running.store, 1, { prefix: 'late', engagedDaysAgo: 900 });
  await setLastPurge(running, Date.now());
  await purge(running.store, erasureOptions(running));
  expect((await running.people()).map(({ email }) => email)).toContain('late0@example.org');
  expect(await queueRenewals(running.store, Date.now())).toBe(1);
});
