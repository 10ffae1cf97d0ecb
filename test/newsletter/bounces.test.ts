import { expect, test } from 'vitest';
import { applyReport } from '#mail/bounces/apply-report.ts';
import { readReport, readUnsubscribeToken } from '#mail/bounces/read-report.ts';
import { READ_FOLDER, readMailbox } from '#mail/bounces/watch-mailbox.ts';
import { readFollowUps } from '#list/follow-ups.ts';
import { newDelivery } from '#store/new-delivery.ts';
import { restore } from '#list/undeliverable.ts';
import { signToken } from '#list/tokens.ts';
import { isImapMissing, startImap } from './imap-server.ts';
import { freshStore, type RunningNewsletter, signUp, startNewsletter, waitUntil } from './running-newsletter.ts';
import { seedSubscribers } from './seed-subscribers.ts';
import { startSmtp } from './smtp-sink.ts';
import { watchLoop } from './watch-loop.ts';

const DAY = 24 * 3_600_000;

/** A report in the shape of RFC 3464, appendix A. */
function deliveryReport(deliveryId: string, fields: { action: string; status: string; diagnosis: string }): string {
  return `From: Mail Delivery Subsystem <mailer-daemon@mx.example>
To: <office@agency.example>
Subject: Undelivered Mail Returned to Sender
Message-ID: <${deliveryId}-${fields.status}@mx.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="parts"

--parts
Content-Type: text/plain

Your message to <reader0@example.org> could not be delivered.

--parts
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example
Arrival-Date: Fri, 20 Nov 2026 10:00:00 +0000

Final-Recipient: rfc822; reader0@example.org
Action: ${fields.action}
Status: ${fields.status}
Diagnostic-Code: smtp; ${fields.diagnosis}

--parts
Content-Type: message/rfc822

From: The Agency <office@agency.example>
To: <reader0@example.org>
Subject: An update
Message-ID: <${deliveryId}@agency.example>

Words.

--parts--
`.replaceAll('\n', '\r\n');
}

/** A complaint in the shape of RFC 5965, appendix B. */
function complaint(deliveryId: string, type = 'abuse'): string {
  return `From: <abusedesk@mailbox.example>
To: <office@agency.example>
Subject: FW: An update
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="parts"

--parts
Content-Type: text/plain

This is an email abuse report.

--parts
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1

--parts
Content-Type: text/rfc822-headers

From: The Agency <office@agency.example>
Message-ID: <${deliveryId}@agency.example>

--parts--
`.replaceAll('\n', '\r\n');
}

const GONE = { action: 'failed', status: '5.1.1', diagnosis: '550 5.1.1 <reader0@example.org>: no such user' };
const FULL = { action: 'failed', status: '4.2.2', diagnosis: '452 4.2.2 mailbox full' };

/** One subscriber, and the delivery that a mail to them was. */
async function oneReader(variables: Record<string, string> = {}) {
  const running = await startNewsletter({ ...(await freshStore('SQLite')), ...variables });
  const { store } = running.newsletter;
  await seedSubscribers(store, 1);
  const person = await store.db.selectFrom('subscribers').selectAll().executeTakeFirstOrThrow();
  const delivery = { ...newDelivery('welcome', person.id, {}, Date.now()), state: 'sent' as const };
  await store.db.insertInto('deliveries').values(delivery).execute();
  const reader = () => store.db.selectFrom('subscribers').selectAll().executeTakeFirstOrThrow();
  return { running, person, delivery, reader };
}

/** Does what the server does with a mail of its mailbox, whose parts a mail server separates. */
async function apply({ newsletter }: RunningNewsletter, source: string, now = Date.now()): Promise<boolean> {
  const { store, secret, env } = newsletter;
  const token = readUnsubscribeToken(source.split('\r\n\r\n', 1)[0] ?? '');
  const [, , machine = '', returned = ''] = source.split('--parts\r\n');
  const [machineHeaders = '', ...groups] = machine.split('\r\n\r\n');
  const parts = {
    machineHeaders,
    machinePart: groups.join('\r\n\r\n'),
    returnedPart: returned.slice(returned.indexOf('\r\n\r\n') + 4),
  };
  const report = token === undefined ? readReport(parts) : { kind: 'unsubscribe' as const, token };
  return report !== undefined && applyReport(store, report, { secret, followUps: readFollowUps(env), now });
}

test('a permanent failure makes undeliverable with its reason, without any address', async () => {
  const { running, delivery, reader } = await oneReader();
  expect(await apply(running, deliveryReport(delivery.id, GONE))).toBe(true);
  const { state, undeliverable_reason } = await reader();
  expect(state).toBe('undeliverable');
  expect(undeliverable_reason).toMatch(
    /^a report says that the mailbox does not exist \(5\.1\.1 smtp; 550 5\.1\.1 .*no such user\)$/,
  );
  expect(undeliverable_reason).not.toContain('reader0');
});

test('the third mail that is reported as delayed within 30 days does so, however often each is reported', async () => {
  const { running, person, reader } = await oneReader();
  const { store } = running.newsletter;
  const reportMail = async (days: number, times = 1) => {
    const mail = { ...newDelivery('welcome', person.id, {}, Date.now()), state: 'sent' as const };
    await store.db.insertInto('deliveries').values(mail).execute();
    for (let time = 0; time < times; time += 1) {
      const report = { ...FULL, action: 'delayed', diagnosis: `452 4.2.2 full, ${time}` };
      await apply(running, deliveryReport(mail.id, report), Date.now() - days * DAY);
    }
  };
  await reportMail(40);
  await reportMail(20, 3);
  await reportMail(10);
  expect((await reader()).state).toBe('subscribed');
  await reportMail(0);
  expect(await reader()).toMatchObject({
    state: 'undeliverable',
    undeliverable_reason: expect.stringMatching(
      /^3 mails within 30 days were delayed: a report says that the mailbox could not be reached \(4\.2\.2/,
    ),
  });
});

test('a policy, a limit or a full mailbox says nothing of the address, even when it is final', async () => {
  const { running, delivery, reader } = await oneReader();
  for (const status of ['5.7.1', '5.4.5', '5.3.0', '5.2.2', '5.1.8']) {
    expect(await apply(running, deliveryReport(delivery.id, { ...GONE, status }))).toBe(true);
  }
  expect((await reader()).state).toBe('subscribed');
});

test('a notice to the owner that is called spam, or comes back, is held against nobody on the list', async () => {
  const { running, person, reader } = await oneReader();
  const { db } = running.newsletter.store;
  const notice = {
    ...newDelivery('notice', person.id, { email: person.address } as never, Date.now()),
    state: 'sent' as const,
  };
  await db.insertInto('deliveries').values(notice).execute();
  expect(await apply(running, complaint(notice.id))).toBe(true);
  expect(await apply(running, deliveryReport(notice.id, GONE))).toBe(true);
  expect((await reader()).state).toBe('subscribed');
  expect(await db.selectFrom('deliveries').selectAll().where('id', '=', notice.id).executeTakeFirst()).toMatchObject({
    state: 'failed',
    last_error: 'reported after it was sent: a complaint (abuse)',
  });
});

test('a complaint unsubscribes, and the evidence says so; a report of another type does nothing', async () => {
  const { running, delivery, reader } = await oneReader();
  expect(await apply(running, complaint(delivery.id, 'not-spam'))).toBe(false);
  expect((await reader()).state).toBe('subscribed');
  expect(await apply(running, complaint(delivery.id))).toBe(true);
  expect((await reader()).state).toBe('unsubscribed');
  const records = await running.newsletter.store.db.selectFrom('consent_records').selectAll().execute();
  expect(records).toMatchObject([{ event: 'withdrawn', source: 'a complaint (abuse)' }]);
});

test('a mail to the List-Unsubscribe address unsubscribes by its signed subject alone', async () => {
  const { running, person, reader } = await oneReader();
  const mail = (subject: string) => `From: x@example.org\r\nSubject: ${subject}\r\n\r\nPlease.\r\n`;
  const token = signToken('unsubscribe', person.id, running.newsletter.secret);
  expect(await apply(running, mail(`unsubscribe ${person.id}.forged`))).toBe(false);
  expect(await apply(running, mail('unsubscribe'))).toBe(false);
  expect((await reader()).state).toBe('subscribed');
  expect(await apply(running, mail(`unsubscribe ${token}`))).toBe(true);
  expect((await reader()).state).toBe('unsubscribed');
});

test.each([
  ['of a mail that is not ours', deliveryReport('01a2008f-a314-770f-8280-000000000000', GONE)],
  ['that only speaks of one in its text', deliveryReport('unknown', GONE)],
  ['that is no report', 'From: a@example.org\r\nSubject: Hello\r\n\r\n550 5.1.1 no such user\r\n'],
])('a mail %s changes nothing', async (_, source) => {
  const { running, reader } = await oneReader();
  expect(await apply(running, source)).toBe(false);
  expect((await reader()).state).toBe('subscribed');
});

test('an undeliverable person comes back by signing up again, or when the owner restores them', async () => {
  const smtp = await startSmtp();
  const { running, person, delivery, reader } = await oneReader({ SMTP_URL: smtp.url });
  await apply(running, deliveryReport(delivery.id, GONE));
  const { store } = running.newsletter;
  expect(await store.transaction((tx) => restore(tx, person.id, Date.now()))).toBe(true);
  expect((await reader()).state).toBe('subscribed');
  await apply(running, deliveryReport(delivery.id, GONE));
  await signUp(running.url, { email: person.address });
  expect(await reader()).toMatchObject({ state: 'subscribed', undeliverable_reason: null });
});

test.skipIf(isImapMissing())(
  'the mailbox is read by the server: reports are applied and moved, other mails stay as they are',
  async () => {
    const imap = await startImap();
    const { running, delivery, reader } = await oneReader();
    const { store, secret, env } = running.newsletter;
    const options = { url: imap.url, store, secret, followUps: readFollowUps(env), log: () => undefined };
    await imap.deliver('From: a@example.org\r\nSubject: A candidate\r\n\r\nHello.\r\n');
    await imap.deliver(deliveryReport(delivery.id, GONE));
    expect(await readMailbox(options)).toBe(1);
    expect((await reader()).state).toBe('undeliverable');
    expect([await imap.count('INBOX'), await imap.count(READ_FOLDER)]).toEqual([1, 1]);

    const { id } = await reader();
    await options.store.transaction((tx) => restore(tx, id, Date.now()));
    expect(await readMailbox(options)).toBe(0);
    await imap.deliver(complaint(delivery.id));
    expect(await readMailbox(options)).toBe(1);
    expect((await reader()).state).toBe('unsubscribed');
    expect([await imap.count('INBOX'), await imap.count(READ_FOLDER)]).toEqual([1, 2]);

    await options.store.db.updateTable('subscribers').set({ state: 'subscribed' }).execute();
    await imap.deliver(`From: a@example.org\r\nSubject: unsubscribe ${signToken('unsubscribe', id, secret)}\r\n\r\n`);
    expect(await readMailbox(options)).toBe(1);
    expect((await reader()).state).toBe('unsubscribed');
  },
);

/** A report whose machine-readable part is somebody else's choice. */
function hostileReport(deliveryId: string, status: string): string {
  return deliveryReport(deliveryId, GONE).replace(/Reporting-MTA[^]*?no such user/, () =>
    status.replaceAll('\n', '\r\n'),
  );
}

/** Parts within parts, in base64 by their own word, so that whatever reads them goes down all of them. */
function nestedParts(count: number): string {
  const start = 'From: a@example.org\r\nSubject: Undelivered\r\nMIME-Version: 1.0\r\n';
  const part = (index: number) =>
    `Content-Type: multipart/${index === 0 ? 'report' : 'mixed'}; boundary="b${index}"\r\nContent-Transfer-Encoding: base64\r\n\r\n--b${index}\r\n`;
  return start + Array.from({ length: count }, (_, index) => part(index)).join('');
}

test.skipIf(isImapMissing())(
  'reports of any size do not hold up the server, and are read as far as they may go',
  async () => {
    const imap = await startImap();
    const { running, delivery, reader } = await oneReader();
    const { store, secret, env } = running.newsletter;
    const options = { url: imap.url, store, secret, followUps: readFollowUps(env), log: () => undefined };
    await imap.deliver(hostileReport(delivery.id, `Status: 5.1.1\n\n${'Reporting-MTA: dns; a\n\n'.repeat(20_000)}`));
    await imap.deliver(hostileReport(delivery.id, `Status: 5.1.1\n\n${'\n'.repeat(200_000)}`));
    await imap.deliver(`Subject: ${'unsubscribe '.repeat(40_000)}\r\n\r\nx\r\n`);
    await imap.deliver(
      hostileReport(
        delivery.id,
        `Reporting-MTA: dns; a\n\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; ${'a'.repeat(150_000)}`,
      ),
    );
    const readLongestTurn = watchLoop();
    await readMailbox(options);
    expect(await readLongestTurn()).toBeLessThan(50);
    const { state, undeliverable_reason } = await reader();
    expect([state, undeliverable_reason!.length]).toEqual(['undeliverable', expect.closeTo(300, -3)]);
  },
);

test.skipIf(isImapMissing())(
  'a message that cannot be read is logged, flagged and passed over; what is behind it is applied',
  async () => {
    const imap = await startImap();
    const { running, delivery, reader } = await oneReader();
    const { store, secret, env } = running.newsletter;
    const log: string[] = [];
    const options = {
      url: imap.url,
      store,
      secret,
      followUps: readFollowUps(env),
      log: (line: string) => log.push(line),
    };
    await imap.deliver(nestedParts(300));
    await imap.deliver(nestedParts(300).replaceAll('base64', '7bit'));
    await imap.deliver(deliveryReport(delivery.id, GONE));
    expect(await readMailbox(options)).toBe(1);
    expect((await reader()).state).toBe('undeliverable');
    expect(log.join('\n')).toMatch(/^Bounce mailbox: message 1 .* is flagged and passed over/);
    expect(await imap.flagged('INBOX')).toEqual([1, 2]);
  },
);

test.skipIf(isImapMissing())("a server's control characters reach neither the store nor the log", async () => {
  const imap = await startImap();
  const { running, delivery, reader } = await oneReader();
  const { store, secret, env } = running.newsletter;
  const options = { url: imap.url, store, secret, followUps: readFollowUps(env), log: () => undefined };
  await imap.deliver(deliveryReport(delivery.id, { ...GONE, diagnosis: '550 \u001b[31mno\u0007 such user\u0085' }));
  await readMailbox(options);
  expect((await reader()).undeliverable_reason).toMatch(/\(5\.1\.1 smtp; 550 .*no.* such user/);
  expect((await reader()).undeliverable_reason).not.toMatch(/\p{Cc}/u);
});

test.skipIf(isImapMissing())('a server that was given BOUNCE_MAILBOX reads it by itself', async () => {
  const imap = await startImap();
  await imap.deliver('From: a@example.org\r\nSubject: A candidate\r\n\r\nHello.\r\n');
  const store = await freshStore('SQLite');
  const first = await startNewsletter(store);
  await seedSubscribers(first.newsletter.store, 1);
  const person = await first.newsletter.store.db.selectFrom('subscribers').selectAll().executeTakeFirstOrThrow();
  const delivery = { ...newDelivery('welcome', person.id, {}, Date.now()), state: 'sent' as const };
  await first.newsletter.store.db.insertInto('deliveries').values(delivery).execute();
  await first.stop();
  await imap.deliver(deliveryReport(delivery.id, GONE));
  const running = await startNewsletter({ ...store, BOUNCE_MAILBOX: imap.url });
  await waitUntil(() => expect(running.log.join('\n')).toContain('Bounce mailbox: 1 reports read.'));
  expect(await imap.count(READ_FOLDER)).toBe(1);
});

test('a mailbox that cannot be reached is logged, without its password, and does not stop the server', async () => {
  const running = await startNewsletter({
    ...(await freshStore('SQLite')),
    BOUNCE_MAILBOX: 'imap://bounces:secret@127.0.0.1:9/INBOX',
  });
  await waitUntil(() => expect(running.log.join('\n')).toContain('Bounce mailbox: it could not be read'));
  expect(running.log.join('\n')).not.toContain('secret');
  expect((await signUp(running.url)).status).toBe(200);
});
