import { describe, expect, test, vi } from 'vitest';
import { countUnsent } from '#mail/queue/count-unsent.ts';
import { iso } from '#store/iso-time.ts';
import {
  freshStore,
  isMissing,
  type RunningNewsletter,
  signUp,
  startNewsletter,
  STORES,
} from './running-newsletter.ts';
import { type SmtpSink, startSmtp } from './smtp-sink.ts';
import { readPage } from '#owner/launch-check/read-page.ts';
import { content } from '../test-content.ts';

const patient = { timeout: 5000, interval: 20 };

async function stateOf({ newsletter }: RunningNewsletter): Promise<string | undefined> {
  const row = await newsletter.store.db.selectFrom('subscribers').select('state').executeTakeFirst();
  return row?.state;
}

async function eventsOf({ newsletter }: RunningNewsletter): Promise<string[]> {
  const rows = await newsletter.store.db.selectFrom('consent_records').select('event').orderBy('at').execute();
  return rows.map((row) => row.event);
}

async function linkIn(smtp: SmtpSink, page: 'unsubscribe' | 'confirm', mail = 0): Promise<string> {
  await vi.waitFor(() => expect(smtp.mails.length).toBeGreaterThan(mail), patient);
  return new RegExp(`http://\\S+/newsletter/${page}/\\S+`).exec(smtp.mails[mail]?.text ?? '')?.[0] ?? 'no link';
}

/** What the one button says on a page that a link of a mail leads to. */
function buttonOf(page: string): string | undefined {
  return readPage(page).querySelector('main form[method="post"] button')?.textContent;
}

/** As if everything so far had happened a day and a bit ago. */
async function aDayPasses({ newsletter }: RunningNewsletter): Promise<void> {
  const then = iso(Date.now() - 25 * 3_600_000);
  await newsletter.store.db.updateTable('sent_mails').set({ taken_at: then }).execute();
  await newsletter.store.db.updateTable('subscribers').set({ confirmation_queued_at: then }).execute();
}

describe.each(STORES)('on %s', (name) => {
  test.skipIf(isMissing(name))(
    'a mail scanner that follows the unsubscribe link changes nothing; the button does',
    async () => {
      const smtp = await startSmtp();
      const running = await startNewsletter({ ...(await freshStore(name)), SMTP_URL: smtp.url });
      await signUp(running.url);
      const link = await linkIn(smtp, 'unsubscribe');

      const page = await fetch(link);
      expect(page.status).toBe(200);
      expect(buttonOf(await page.text())).toBe(content.pages.unsubscribe.button);
      expect(await stateOf(running)).toBe('subscribed');

      const done = await fetch(link, { method: 'POST' });
      expect(done.status).toBe(200);
      expect(await stateOf(running)).toBe('unsubscribed');
      const again = await fetch(link, { method: 'POST' });
      expect(again.status).toBe(200);
      expect(await eventsOf(running)).toEqual(['given', 'withdrawn']);
    },
  );

  test.skipIf(isMissing(name))('a mail program unsubscribes in one click, with no cookie and no page', async () => {
    const smtp = await startSmtp();
    const running = await startNewsletter({ ...(await freshStore(name)), SMTP_URL: smtp.url });
    await signUp(running.url);
    const link = await linkIn(smtp, 'unsubscribe');
    const answer = await fetch(link, {
      method: 'POST',
      redirect: 'error',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(answer.status).toBe(200);
    expect(await stateOf(running)).toBe('unsubscribed');
  });

  test.skipIf(isMissing(name))(
    'whoever unsubscribed is subscribed again by a fresh consent, and mailed a day after the last mail',
    async () => {
      const smtp = await startSmtp();
      const running = await startNewsletter({ ...(await freshStore(name)), SMTP_URL: smtp.url });
      await signUp(running.url);
      await fetch(await linkIn(smtp, 'unsubscribe'), { method: 'POST' });
      await signUp(running.url, { source: 'Founder' });
      expect(await stateOf(running)).toBe('subscribed');
      expect(await eventsOf(running)).toEqual(['given', 'withdrawn', 'given']);
      const db = running.newsletter.store.db;
      await vi.waitFor(async () => {
        const waiting = await db
          .selectFrom('deliveries')
          .select('due_at')
          .where('state', '=', 'waiting')
          .executeTakeFirst();
        expect(Date.parse(waiting?.due_at ?? '') - Date.now()).toBeGreaterThan(86_000_000);
      }, patient);
      expect(smtp.mails).toHaveLength(1);
    },
  );

  test.skipIf(isMissing(name))('with double opt-in nothing but the question goes out before the answer', async () => {
    const smtp = await startSmtp();
    const running = await startNewsletter({
      ...(await freshStore(name)),
      SMTP_URL: smtp.url,
      DOUBLE_OPT_IN: 'true',
      NOTIFY_TO: 'owner@agency.example',
    });
    await signUp(running.url, { role: 'Founder' });
    await signUp(running.url);
    const link = await linkIn(smtp, 'confirm');
    expect(await stateOf(running)).toBe('pending');
    await vi.waitFor(
      async () => expect(await countUnsent(running.newsletter.store)).toEqual({ waiting: 0, failed: 0 }),
      patient,
    );
    expect(smtp.mails).toHaveLength(1);

    const page = await fetch(link);
    expect(buttonOf(await page.text())).toBe(content.pages.confirm.button);
    expect(await stateOf(running)).toBe('pending');

    const done = await fetch(link, { method: 'POST' });
    expect(done.status).toBe(200);
    expect(await stateOf(running)).toBe('subscribed');
    expect(await eventsOf(running)).toContain('confirmed');
    await vi.waitFor(() => expect(smtp.mails).toHaveLength(2), patient);
    expect(smtp.mails[1]).toMatchObject({
      to: 'owner@agency.example',
      text: expect.stringContaining('anna@example.org'),
    });
  });

  test.skipIf(isMissing(name))('who did not confirm is asked again, but not on the same day', async () => {
    const smtp = await startSmtp();
    const running = await startNewsletter({ ...(await freshStore(name)), SMTP_URL: smtp.url, DOUBLE_OPT_IN: 'true' });
    await signUp(running.url);
    await linkIn(smtp, 'confirm');
    await aDayPasses(running);
    await signUp(running.url);
    await signUp(running.url);
    const link = await linkIn(smtp, 'confirm', 1);
    expect(smtp.mails).toHaveLength(2);
    await fetch(link, { method: 'POST' });
    expect(await stateOf(running)).toBe('subscribed');
  });
});

test('a link that was cut short, changed or made for the other page is answered with a plain page', async () => {
  const smtp = await startSmtp();
  const running = await startNewsletter({ ...(await freshStore('SQLite')), SMTP_URL: smtp.url });
  await signUp(running.url);
  const link = await linkIn(smtp, 'unsubscribe');
  const bad = [
    link.slice(0, -1),
    link.replace(/.$/, link.endsWith('A') ? 'B' : 'A'),
    link.replace('unsubscribe', 'confirm'),
    `${running.url}/newsletter/unsubscribe/x`,
  ];
  for (const address of bad) {
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(address, { method });
      expect(answer.status).toBe(400);
      expect(readPage(await answer.text()).title).toContain(content.pages.badLink.title);
    }
  }
  expect(await stateOf(running)).toBe('subscribed');
});

test('an old link of somebody who is no longer known still says that they are unsubscribed', async () => {
  const smtp = await startSmtp();
  const running = await startNewsletter({ ...(await freshStore('SQLite')), SMTP_URL: smtp.url });
  await signUp(running.url);
  const link = await linkIn(smtp, 'unsubscribe');
  await running.newsletter.store.db.deleteFrom('subscribers').execute();
  const answer = await fetch(link, { method: 'POST' });
  expect(answer.status).toBe(200);
});
