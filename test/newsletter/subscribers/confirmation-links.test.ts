import { expect, onTestFinished, test, vi } from 'vitest';
import { readPage } from '../../read-page.ts';
import { content } from '../../test-content.ts';
import { expectBadLink, findButton, linkIn, readEvents, readFirstState } from '../setup/mail-links.ts';
import { signUp, startWithSmtp, waitUntil, waitUntilSent } from '../setup/running-newsletter.ts';

test('sends only the confirmation until it is confirmed with double opt-in', async () => {
  const { smtp, running } = await startWithSmtp('SQLite', { DOUBLE_OPT_IN: 'true', NOTIFY_TO: 'owner@agency.example' });
  await signUp(running.url, { role: 'Founder' });
  await signUp(running.url);
  const link = await linkIn(smtp, 'confirm');
  expect(await readFirstState(running)).toBe('pending');
  await waitUntilSent(running.store);
  expect(smtp.mails).toHaveLength(1);

  const page = await fetch(link);
  expect(findButton(await page.text())).toBe(content.pages.confirm.button);
  expect(await readFirstState(running)).toBe('pending');

  const done = await fetch(link, { method: 'POST' });
  expect(done.status).toBe(200);
  expect(await readFirstState(running)).toBe('subscribed');
  expect(await readEvents(running)).toContain('confirmed');
  await waitUntil(() => expect(smtp.mails).toHaveLength(2));
  expect(smtp.mails[1]).toMatchObject({
    to: 'owner@agency.example',
    text: expect.stringContaining('anna@example.org'),
  });
});

test('accepts a confirmation link only for its own sign-up', async () => {
  const { smtp, running } = await startWithSmtp('SQLite', { DOUBLE_OPT_IN: 'true' });
  await signUp(running.url);
  const first = await linkIn(smtp, 'confirm');
  for (const time of ['once', 'again']) {
    expect({ time, status: (await fetch(first, { method: 'POST' })).status }).toEqual({ time, status: 200 });
  }
  await fetch(await linkIn(smtp, 'unsubscribe'), { method: 'POST' });
  await expectBadLink(first);
  await signUp(running.url);
  await expectBadLink(first);
  expect(await readFirstState(running)).toBe('unsubscribed');
});

test('accepts a confirmation link for 30 days, and afterwards still tells somebody on the list that they are on it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { smtp, running } = await startWithSmtp('SQLite', { DOUBLE_OPT_IN: 'true' });
  await signUp(running.url);
  const link = await linkIn(smtp, 'confirm');
  const expiresAt = Date.now() + 30 * 24 * 3_600_000;
  vi.setSystemTime(expiresAt + 60_000);
  await expectBadLink(link);
  expect(await readFirstState(running)).toBe('pending');
  vi.setSystemTime(expiresAt - 60_000);
  expect((await fetch(link, { method: 'POST' })).status).toBe(200);
  expect(await readFirstState(running)).toBe('subscribed');
  vi.setSystemTime(expiresAt + 60_000);
  const response = await fetch(link, { method: 'POST' });
  expect(response.status).toBe(200);
  expect(readPage(await response.text()).title).toContain(content.pages.confirmed.title);
});
