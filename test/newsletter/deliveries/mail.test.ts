import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { readPage } from '../../read-page.ts';
import { renderSignUpMails } from '#newsletter/mails/sign-up-mails.tsx';
import { formatAddress, listCompanyDetails } from '#content/company-details.ts';
import { content } from '../../test-content.ts';
import { signUp, startNewsletter, startWithSmtp, waitUntil, waitUntilSent } from '../setup/running-newsletter.ts';
import { refuseEverybody } from '../setup/smtp-server.ts';

const SITE_URL = 'https://www.agency.example';

test('sends the welcome email to the person who signed up, with one-click unsubscribe and without anything they typed', async () => {
  const { smtp, running } = await startWithSmtp('SQLite', { SITE_URL });
  const typed = { email: 'Anna+attack@example.org', source: 'Founder | utm_source=<b>buy-now</b>', role: 'Other' };
  expect((await signUp(running.url, typed)).status).toBe(200);
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
  // The mark is the site's, and the email can be read in dark mode.
  expect(mail?.html).toContain(`<img src="${SITE_URL}/mark.png"`);
  expect(mail?.html).toMatch(/<meta name="color-scheme" content="light dark" ?\/?>/);
  expect(mail?.html).toContain('prefers-color-scheme: dark');
});

test('breaks lines in an email’s footer between facts, not within one', () => {
  const { html, text } = renderSignUpMails(content).welcome;
  const facts = [...listCompanyDetails(content.agency), formatAddress(content.agency)];
  const whole = [...readPage(html).querySelectorAll('span[style="display:inline-block"]')];
  expect(whole.map(({ textContent }) => textContent).join(' ')).toBe(facts.join(', '));
  expect(whole).toHaveLength(facts.length);
  expect(text).toContain(facts.join(', '));
});

test('writes each email as a complete file in the outbox without an SMTP server', async () => {
  const { url, store, place } = await startNewsletter();
  await signUp(url, { email: 'jörg@münchen.example' });
  const outbox = join(place.DATA_DIR, 'outbox');
  await waitUntilSent(store);
  const files = readdirSync(outbox);
  expect(files).toEqual([expect.stringMatching(/\.eml$/)]);
  const mail = await PostalMime.parse(readFileSync(join(outbox, files[0] ?? '')));
  expect(mail.messageId).toContain(files[0]?.replace('.eml', '') ?? 'no file');
  expect(mail.subject).toBe(content.mail.welcome.subject);
  expect(mail.headers.find(({ key }) => key === 'x-auto-response-suppress')?.value).toBe('OOF, AutoReply');
});

test('sends the agency one line for each sign-up', async () => {
  const { smtp, running } = await startWithSmtp('SQLite', { NOTIFY_TO: 'owner@agency.example' });
  await signUp(running.url, { role: 'Head of Talent', source: 'Footer | utm_medium=post' });
  await waitUntil(() => expect(smtp.mails).toHaveLength(2));
  const notice = smtp.mails.find((mail) => mail.to === 'owner@agency.example');
  // Another field of the sign-up may be between them.
  expect(notice?.text?.trim()).toMatch(
    /^anna@example\.org, role: Head of Talent, (?:.+, )?source: Footer \| utm_medium=post$/,
  );
});

test('records a rejected email and marks its recipient in one transaction', async () => {
  const { smtp, running } = await startWithSmtp();
  const { db } = running.store;
  let recipients = 0;
  smtp.behave = (step, to) => {
    if (step === 'RCPT TO') recipients += 1;
    return refuseEverybody(step, to);
  };
  await sql`create trigger away before update of state on subscribers begin select raise(abort, 'away'); end`.execute(
    db,
  );
  await signUp(running.url);
  await waitUntil(() => expect(running.log.join('\n')).toContain('the store cannot be used'));
  expect(await running.deliveries()).toMatchObject([{ state: 'sending' }]);
  await sql`drop trigger away`.execute(db);
  await waitUntil(async () => expect(await running.deliveries()).toMatchObject([{ state: 'failed' }]));
  expect(await running.people()).toMatchObject([{ state: 'undeliverable' }]);
  expect(recipients).toBe(1);
});
