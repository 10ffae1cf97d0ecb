import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { countUnsent } from '#mail/queue/unsent.ts';
import { readTrouble } from '#mail/queue/mail-trouble.ts';
import { retryDeliveries } from '#mail/queue/retry-deliveries.ts';
import { restore } from '#list/undeliverable.ts';
import { readPage } from '#owner/launch-check/read-page.ts';
import { addressLine, companyFacts } from '#shared/company-line.ts';
import { content } from '../test-content.ts';
import {
  freshStore,
  onEachStore,
  type RunningNewsletter,
  signUp,
  startNewsletter,
  startWithSmtp,
  waitUntil,
  waitUntilSent,
} from './running-newsletter.ts';
import { startSilence, startSmtp } from './smtp-sink.ts';

async function readDeliveries({ newsletter }: RunningNewsletter) {
  return newsletter.store.db.selectFrom('deliveries').selectAll().orderBy('queued_at').execute();
}

test('the welcome mail goes to the person who signed up, can be unsubscribed from in one click, and holds nothing typed', async () => {
  const smtp = await startSmtp();
  const { url } = await startNewsletter({
    ...(await freshStore('SQLite')),
    SMTP_URL: smtp.url,
    SITE_URL: 'https://www.agency.example',
  });
  const answer = await signUp(url, {
    email: 'Anna+attack@example.org',
    source: 'Founder | utm_source=<b>buy-now</b>',
    role: 'Other',
  });
  expect(answer.status).toBe(200);
  await waitUntil(() => expect(smtp.mails).toHaveLength(1));
  const [mail] = smtp.mails;
  expect(mail?.to).toBe('Anna+attack@example.org');
  expect(mail?.from).toEqual({ name: content.agency.name, address: content.agency.email });
  const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
  expect(header('list-unsubscribe')).toMatch(/^<https:\/\/www\.agency\.example\/newsletter\/unsubscribe\/[\w.-]+>$/);
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const link = header('list-unsubscribe')?.slice(1, -1) ?? '';
  expect(mail?.text).toContain(link);
  expect(mail?.html).toContain(link);
  expect(link).not.toContain('anna');
  for (const body of [mail?.text, mail?.html, mail?.subject]) {
    expect(body).not.toMatch(/attack|buy-now|Other/);
  }
});

test('the mail has the mark from the site, and can be read in the dark', async () => {
  const smtp = await startSmtp();
  const settings = { SMTP_URL: smtp.url, SITE_URL: 'https://www.agency.example' };
  const { url } = await startNewsletter({ ...(await freshStore('SQLite')), ...settings });
  await signUp(url);
  await waitUntil(() => expect(smtp.mails).toHaveLength(1));
  expect(smtp.mails[0]?.html).toContain('<img src="https://www.agency.example/mark.png"');
  expect(smtp.mails[0]?.html).toMatch(/<meta name="color-scheme" content="light dark" ?\/?>/);
  expect(smtp.mails[0]?.html).toContain('prefers-color-scheme: dark');
});

test('the lines at the foot of a mail break between its facts, not within one', async () => {
  const smtp = await startSmtp();
  const { url } = await startNewsletter({ ...(await freshStore('SQLite')), SMTP_URL: smtp.url });
  await signUp(url);
  await waitUntil(() => expect(smtp.mails).toHaveLength(1));
  const facts = [...companyFacts(content.agency), addressLine(content.agency)];
  const whole = [...readPage(smtp.mails[0]?.html ?? '').querySelectorAll('span[style="display:inline-block"]')];
  expect(whole.map(({ textContent }) => textContent).join(' ')).toBe(facts.join(', '));
  expect(whole).toHaveLength(facts.length);
  expect(smtp.mails[0]?.text).toContain(facts.join(', '));
});

test('without an SMTP server each mail is a whole file in the outbox', async () => {
  const store = await freshStore('SQLite');
  const { url, newsletter } = await startNewsletter(store);
  await signUp(url, { email: 'jörg@münchen.example' });
  const outbox = join(store.DATA_DIR, 'outbox');
  await waitUntilSent(newsletter.store);
  const files = readdirSync(outbox);
  expect(files).toEqual([expect.stringMatching(/\.eml$/)]);
  const mail = await PostalMime.parse(readFileSync(join(outbox, files[0] ?? '')));
  expect(mail.messageId).toContain(files[0]?.replace('.eml', '') ?? 'no file');
  expect(mail.subject).toBe(content.mail.welcome.subject);
});

test('the agency gets one line for each sign-up', async () => {
  const smtp = await startSmtp();
  const { url } = await startNewsletter({
    ...(await freshStore('SQLite')),
    SMTP_URL: smtp.url,
    NOTIFY_TO: 'owner@agency.example',
  });
  await signUp(url, { role: 'Head of Talent', source: 'Footer | utm_medium=post' });
  await waitUntil(() => expect(smtp.mails).toHaveLength(2));
  const notice = smtp.mails.find((mail) => mail.to === 'owner@agency.example');
  // Another field of the sign-up may stand between them.
  expect(notice?.text?.trim()).toMatch(
    /^anna@example\.org, role: Head of Talent, (?:.+, )?source: Footer \| utm_medium=post$/,
  );
});

onEachStore('a mail', (name) => {
  test('that is refused for now, dropped or met with silence waits, and goes out once when asked again', async () => {
    const { smtp, running } = await startWithSmtp(name);
    smtp.behaviour = 'refuse for now';
    await signUp(running.url);
    for (const [failures, behaviour] of [
      [1, 'drop mid-message'],
      [1, 'hang'],
      [1, 'accept'],
    ] as const) {
      await waitUntil(async () => {
        const [delivery] = await readDeliveries(running);
        expect(delivery).toMatchObject({ state: 'waiting', attempts: failures, lease_until: null });
        const pause = Date.parse(delivery?.due_at ?? '') - Date.now();
        expect(pause).toBeGreaterThan(20_000);
        expect(pause).toBeLessThan(41_000);
      });
      expect(smtp.mails).toEqual([]);
      smtp.behaviour = behaviour;
      await retryDeliveries(running.newsletter.store, 'all', Date.now());
    }
    await waitUntilSent(running.newsletter.store);
    expect(smtp.mails).toHaveLength(1);
    const [delivery] = await readDeliveries(running);
    expect(smtp.mails[0]?.messageId).toContain(delivery?.id);
    expect(running.log.join('\n')).not.toContain('anna');
  });

  test('that is refused for good stops at once, is seen as failed and can be sent again', async () => {
    const { smtp, running } = await startWithSmtp(name);
    smtp.behaviour = 'refuse for good';
    await signUp(running.url);
    await waitUntil(async () => expect(await countUnsent(running.newsletter.store)).toEqual({ waiting: 0, failed: 1 }));
    const [failed] = await readDeliveries(running);
    expect(failed).toMatchObject({ state: 'failed', attempts: 1 });
    expect(failed?.last_error).toContain('550');
    expect(failed?.last_error).not.toContain('anna');
    expect(running.log.join('\n')).not.toContain('anna');

    // An address that a mail server refuses gets nothing more, until its owner is restored.
    const { id } = await running.newsletter.store.db.selectFrom('subscribers').select('id').executeTakeFirstOrThrow();
    const { store } = running.newsletter;
    expect(await store.transaction((tx) => restore(tx, id, Date.now()))).toBe(true);
    smtp.behaviour = 'accept';
    await retryDeliveries(running.newsletter.store, failed?.id ?? '', Date.now());
    await waitUntil(() => expect(smtp.mails).toHaveLength(1));
    expect(smtp.mails[0]?.messageId).toContain(failed?.id);
  });

  test('past the hourly cap waits rather than vanishes', async () => {
    const { smtp, running } = await startWithSmtp(name, { MAIL_HOURLY_CAP: '3' });
    for (let person = 0; person < 5; person += 1) await signUp(running.url, { email: `person${person}@example.org` });
    await waitUntil(() => expect(smtp.mails).toHaveLength(3));
    await waitUntil(async () => expect(await countUnsent(running.newsletter.store)).toEqual({ waiting: 2, failed: 0 }));
    expect(smtp.mails).toHaveLength(3);
    // An hour later.
    await running.newsletter.store.db
      .updateTable('sent_mails')
      .set({ taken_at: new Date(Date.now() - 3_600_001).toISOString() })
      .execute();
    await running.stop();
    const later = await startNewsletter({ ...makeRestart(running), SMTP_URL: smtp.url, MAIL_HOURLY_CAP: '3' });
    await waitUntilSent(later.newsletter.store);
    expect(new Set(smtp.mails.map((mail) => mail.to)).size).toBe(5);
    expect(smtp.mails).toHaveLength(5);
  });

  test('goes to one mailbox once a day, however its address is spelt', async () => {
    const { smtp, running } = await startWithSmtp(name);
    await signUp(running.url, { email: 'victim@example.org' });
    await signUp(running.url, { email: 'victim+2@example.org' });
    await signUp(running.url, { email: 'victim+1@EXAMPLE.org' });
    await waitUntil(async () => {
      const waiting = (await readDeliveries(running)).filter(({ state }) => state === 'waiting');
      expect(waiting).toHaveLength(2);
      for (const { due_at } of waiting) expect(Date.parse(due_at) - Date.now()).toBeGreaterThan(86_000_000);
    });
    await waitUntil(() => expect(smtp.mails).toHaveLength(1));
  });
});

test('an address that is refused is never recorded as failed without its person being marked', async () => {
  const { smtp, running } = await startWithSmtp('SQLite');
  const { db } = running.newsletter.store;
  smtp.behaviour = 'refuse for good';
  await sql`create trigger away before update of state on subscribers begin select raise(abort, 'away'); end`.execute(
    db,
  );
  await signUp(running.url);
  await waitUntil(() => expect(running.log.join('\n')).toContain('the store cannot be used'));
  expect(await readDeliveries(running)).toMatchObject([{ state: 'sending' }]);
  await sql`drop trigger away`.execute(db);
  await waitUntil(async () => expect(await readDeliveries(running)).toMatchObject([{ state: 'failed' }]));
  expect(await db.selectFrom('subscribers').select('state').execute()).toEqual([{ state: 'undeliverable' }]);
  expect(smtp.attempts).toBe(1);
});

test('a mail server that takes the connection and says nothing does not hold up the sheet or the answers', async () => {
  const { port } = await startSilence();
  const running = await startNewsletter({
    ...(await freshStore('SQLite')),
    SMTP_URL: `smtp://127.0.0.1:${port}?greetingTimeout=300`,
  });
  const answer = await signUp(running.url);
  expect(answer.status).toBe(200);
  await waitUntil(async () => {
    const [delivery] = await readDeliveries(running);
    expect(delivery).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await readTrouble(running.newsletter.store.db)).toMatchObject({
      reason: 'the mail server gave no answer in time (connection)',
    });
  });
});

function makeRestart({ env }: RunningNewsletter): Record<string, string> {
  return { DATA_DIR: env.DATA_DIR, ...(env.DATABASE_URL && { DATABASE_URL: env.DATABASE_URL }) };
}
