import { expect, onTestFinished, test, vi } from 'vitest';
import { erase } from '#newsletter/subscribers/erase.ts';
import { sendConfirmationAgain } from '#newsletter/subscribers/ask-again.ts';
import { unsubscribe } from '#newsletter/subscribers/unsubscribe.ts';
import { toIso } from '#newsletter/database/iso-time.ts';
import { erasureOptions } from '../setup/erasing.ts';
import {
  onEachStore,
  type RunningNewsletter,
  signUp,
  startWithSmtp,
  waitUntil,
  waitUntilSent,
} from '../setup/running-newsletter.ts';
import { expectBadLink, findButton, linkIn, readEvents, readFirstState } from '../setup/mail-links.ts';
import { readPage } from '../../read-page.ts';
import { content } from '../../test-content.ts';

/** The URL of the button that undoes a mistake, on the page after unsubscribing. */
async function readUndo({ url }: RunningNewsletter, response: Response): Promise<string> {
  const form = readPage(await response.text()).querySelector('main form[method="post"]');
  expect(form?.textContent).toBe(content.pages.resubscribe.button);
  return url + form?.getAttribute('action');
}

/** Moves everything so far to more than a day ago. */
async function aDayPasses({ store }: RunningNewsletter): Promise<void> {
  const then = toIso(Date.now() - 25 * 3_600_000);
  await store.db.updateTable('sent_mails').set({ taken_at: then }).execute();
  await store.db.updateTable('subscribers').set({ confirmation_queued_at: then }).execute();
}

onEachStore('links', (name) => {
  test('unsubscribes by one click in an email program or by the button, but not by a mail scanner that follows the link', async () => {
    const { smtp, running } = await startWithSmtp(name);
    await signUp(running.url);
    const link = await linkIn(smtp, 'unsubscribe');

    const page = await fetch(link);
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(findButton(text)).toBe(content.pages.unsubscribe.button);
    // A friend may have got it by forwarding.
    expect(text).toContain('a•••@example.org');
    expect(text).not.toContain('anna');
    expect(await readFirstState(running)).toBe('subscribed');

    // RFC 8058: without a cookie, and without a redirect.
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(link, { method: 'POST', redirect: 'error', body })).status).toBe(200);
    expect(await readFirstState(running)).toBe('unsubscribed');
    expect((await fetch(link, { method: 'POST' })).status).toBe(200);
    expect(await readEvents(running)).toEqual(['given', 'withdrawn']);
  });

  test('lets somebody who unsubscribed by mistake undo that for an hour, without a script', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { smtp, running } = await startWithSmtp(name, { SHEET_URL: 'https://sheet.invalid/exec' });
    await signUp(running.url, { role: 'Founder' });
    const link = await linkIn(smtp, 'unsubscribe');
    vi.setSystemTime(Date.now() + 1000);
    const action = await readUndo(running, await fetch(link, { method: 'POST' }));
    vi.setSystemTime(Date.now() + 3_599_000);
    expect((await fetch(action)).status).toBe(200);
    expect(await readFirstState(running)).toBe('unsubscribed');
    const kinds = async () => (await running.deliveries()).map(({ kind }) => kind);
    const before = await kinds();

    const done = await fetch(action, { method: 'POST' });
    expect([done.status, readPage(await done.text()).title]).toEqual([
      200,
      expect.stringContaining(content.pages.renewed.title),
    ]);
    expect(await running.people()).toMatchObject([{ state: 'subscribed', role: 'Founder' }]);
    expect(await readEvents(running)).toEqual(['given', 'withdrawn', 'given']);
    expect((await kinds()).slice(before.length)).toEqual(['sheet-row']);
    await expectBadLink(action);

    vi.setSystemTime(Date.now() + 1000);
    const late = await readUndo(running, await fetch(link, { method: 'POST' }));
    vi.setSystemTime(Date.now() + 3_600_000);
    await expectBadLink(late);
    expect(await readFirstState(running)).toBe('unsubscribed');
    expect(await (await fetch(link, { method: 'POST' })).text()).not.toContain(content.pages.resubscribe.button);
  });

  test('subscribes a person who unsubscribed again only if they confirm from their mailbox', async () => {
    const { smtp, running } = await startWithSmtp(name);
    await signUp(running.url, { role: 'Founder' });
    await waitUntil(() => expect(smtp.mails).toHaveLength(1));
    const { store, env, people } = running;
    await unsubscribe(store, (await people())[0]!.id, 'unsubscribe link', env, Date.now());
    await aDayPasses(running);
    const [before] = await people();

    for (const role of ['Other', '']) await signUp(running.url, { role });
    expect(await people()).toEqual([{ ...before, confirmation_queued_at: expect.any(String) }]);
    const link = await linkIn(smtp, 'confirm', 1);
    expect(await readFirstState(running)).toBe('unsubscribed');

    expect((await fetch(link, { method: 'POST' })).status).toBe(200);
    expect(await readFirstState(running)).toBe('subscribed');
    expect(await readEvents(running)).toEqual(['given', 'withdrawn', 'given', 'confirmed']);
    expect(smtp.mails).toHaveLength(2);
  });
});

test('doesn’t undo an earlier or later unsubscription, or subscribe somebody who never confirmed', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { smtp, running } = await startWithSmtp();
  await signUp(running.url);
  const link = await linkIn(smtp, 'unsubscribe');
  const friends = await readUndo(running, await fetch(link, { method: 'POST' }));
  // Then the person presses it too; now only they can undo it.
  vi.setSystemTime(Date.now() + 60_000);
  const hers = await readUndo(running, await fetch(link, { method: 'POST' }));
  await expectBadLink(friends);
  expect(await readFirstState(running)).toBe('unsubscribed');
  expect((await fetch(hers, { method: 'POST' })).status).toBe(200);
  expect(await readFirstState(running)).toBe('subscribed');

  await running.store.db.updateTable('subscribers').set({ state: 'pending' }).execute();
  const page = await (await fetch(link, { method: 'POST' })).text();
  expect(readPage(page).title).toContain(content.pages.unsubscribed.title);
  expect(page).not.toContain(content.pages.resubscribe.button);
});

test('lets a person ask again at once after the owner sent the confirmation again', async () => {
  const { smtp, running } = await startWithSmtp('SQLite', { DOUBLE_OPT_IN: 'true' });
  await signUp(running.url);
  await linkIn(smtp, 'confirm', 0);
  await tenMinutesPass(running);
  await sendConfirmationAgain(running.store, (await running.people())[0]!.id, Date.now());
  await linkIn(smtp, 'confirm', 1);
  await signUp(running.url);
  expect(await linkIn(smtp, 'confirm', 2)).toContain('/confirm/');
});

test('sends another confirmation to a person who asks again after ten minutes, up to three a day, and accepts any of them', async () => {
  const { smtp, running } = await startWithSmtp('SQLite', { DOUBLE_OPT_IN: 'true' });
  const { store } = running;
  for (const count of [1, 2, 3]) {
    await signUp(running.url);
    await linkIn(smtp, 'confirm', count - 1);
    // A second press at once sends nothing.
    await signUp(running.url);
    await tenMinutesPass(running);
  }
  await signUp(running.url);
  await waitUntilSent(store);
  expect(smtp.mails).toHaveLength(3);

  // A confirmation that the owner sends again does not count.
  expect(await sendConfirmationAgain(store, (await running.people())[0]!.id, Date.now())).toBe(true);
  await linkIn(smtp, 'confirm', 3);
  // The Message-IDs of one person share nothing but when they were made.
  const endings = smtp.mails.map(({ messageId = '' }) =>
    messageId.slice(messageId.lastIndexOf('-'), messageId.indexOf('@')),
  );
  expect(new Set(endings).size).toBe(4);
  expect((await fetch(await linkIn(smtp, 'confirm', 0), { method: 'POST' })).status).toBe(200);
  expect(await readFirstState(running)).toBe('subscribed');
  expect(await sendConfirmationAgain(store, (await running.people())[0]!.id, Date.now())).toBe(false);
});

test('sends six confirmations to an address in a month, however often a stranger asks', async () => {
  const { smtp, running } = await startWithSmtp('SQLite', { DOUBLE_OPT_IN: 'true' });
  const { db } = running.store;
  await running.newsletter.stopDeliveries();
  for (let day = 0; day < 8; day += 1) {
    await signUp(running.url);
    const rows = await db.selectFrom('deliveries').select(['id', 'queued_at']).execute();
    for (const { id, queued_at } of rows) {
      const queuedAt = toIso(Date.parse(queued_at) - 25 * 3_600_000);
      await db.updateTable('deliveries').set({ state: 'sent', queued_at: queuedAt }).where('id', '=', id).execute();
    }
    await aDayPasses(running);
  }
  expect(await db.selectFrom('deliveries').select('id').execute()).toHaveLength(6);
  expect(smtp.mails.length).toBeLessThanOrEqual(1);
});

test.each([
  ['unsubscribed', 'anna.smith@gmail.com', 'a.nnasmith+jobs@googlemail.com'],
  ['were erased', 'anna.smith+x@gmail.com', 'annasmith+y@googlemail.com'],
])('doesn’t subscribe people who %s as %s again just because %s signs up', async (how, email, other) => {
  const { smtp, running } = await startWithSmtp();
  await signUp(running.url, { email });
  const unsubscribeLink = await linkIn(smtp, 'unsubscribe');
  if (how === 'unsubscribed') await fetch(unsubscribeLink, { method: 'POST' });
  else await erase(running.store, email, erasureOptions(running));
  await aDayPasses(running);
  for (let time = 0; time < 2; time += 1) expect((await signUp(running.url, { email: other })).status).toBe(200);
  const readState = async () => (await running.people()).map(({ state }) => state);
  expect(await readState()).toEqual([how === 'unsubscribed' ? 'unsubscribed' : 'pending']);
  await fetch(await linkIn(smtp, 'confirm', 1), { method: 'POST' });
  expect(await readState()).toEqual(['subscribed']);
});

test('invalidates a confirmation that a stranger asked for when a person unsubscribes again', async () => {
  const { smtp, running } = await startWithSmtp('SQLite', { DOUBLE_OPT_IN: 'true' });
  await signUp(running.url);
  const link = await linkIn(smtp, 'unsubscribe');
  await fetch(link, { method: 'POST' });
  await signUp(running.url);
  const question = await linkIn(smtp, 'confirm', 1);
  await fetch(link, { method: 'POST' });
  await expectBadLink(question);
  expect(await running.people()).toMatchObject([{ state: 'unsubscribed', confirmation_queued_at: null }]);
});

/** Moves the last request for a confirmation to ten minutes ago. */
async function tenMinutesPass({ store }: RunningNewsletter): Promise<void> {
  const then = toIso(Date.now() - 10 * 60_000 - 1);
  await store.db.updateTable('subscribers').set({ confirmation_queued_at: then }).execute();
}

test('responds with a plain page to a link that is truncated, changed or made for another page', async () => {
  const { smtp, running } = await startWithSmtp('SQLite');
  await signUp(running.url);
  const link = await linkIn(smtp, 'unsubscribe');
  const bad = [
    link.slice(0, -1),
    link.replace(/.$/, link.endsWith('A') ? 'B' : 'A'),
    link.replace('unsubscribe', 'confirm'),
    `${running.url}/newsletter/unsubscribe/x`,
  ];
  for (const address of bad) await expectBadLink(address);
  expect(await readFirstState(running)).toBe('subscribed');
});

test('still tells an erased person who presses an old link that they are unsubscribed', async () => {
  const { smtp, running } = await startWithSmtp('SQLite');
  await signUp(running.url);
  const link = await linkIn(smtp, 'unsubscribe');
  await running.store.db.deleteFrom('subscribers').execute();
  const response = await fetch(link, { method: 'POST' });
  expect(response.status).toBe(200);
});
