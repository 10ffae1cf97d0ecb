import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  clearMailboxFailure,
  readMailboxFailure,
  recordMailboxFailure,
} from '#newsletter/bounces/bounce-mailbox-failure.ts';
import { decideUnmatched, listUnmatched } from '#newsletter/bounces/unmatched-reports.ts';
import { readMetadata } from '#newsletter/database/metadata.ts';
import type { Store } from '#newsletter/database/open-store.ts';
import { READ_FOLDER, readMailbox } from '#newsletter/bounces/watch-mailbox.ts';
import { findOwnerTasks } from '#newsletter/weekly-mail/find-owner-tasks.ts';
import { restore } from '#newsletter/bounces/undeliverable.ts';
import { signToken } from '#newsletter/subscribers/tokens.ts';
import { listenOnFreePort } from '../../listen-on-free-port.ts';
import { deliveryReport, GONE, oneReader } from '../setup/bounce-reports.ts';
import { type ImapServer, isImapMissing, startImap } from '../setup/imap-server.ts';
import { signUp, startNewsletter, waitUntil } from '../setup/running-newsletter.ts';
import { watchLoop } from '../setup/watch-loop.ts';

let server: ImapServer | undefined;
beforeAll(async () => {
  if (!isImapMissing()) server = await startImap();
});
afterAll(() => server?.stop());

/** A mailbox, one reader who was sent an email, and the options for reading the mailbox. */
async function openMailbox() {
  const imap = server!.openMailbox();
  const { running, delivery, reader } = await oneReader();
  const { store, secret, env } = running.newsletter;
  const log: string[] = [];
  const takeLine = (line: string) => void log.push(line);
  const options = { url: imap.url, store, secret, env, log: takeLine };
  return { imap, delivery, reader, options, log };
}

test.skipIf(isImapMissing())(
  'applies the reports in the mailbox, without their control characters, and moves them; leaves other messages alone',
  async () => {
    const { imap, delivery, reader, options } = await openMailbox();
    await imap.deliver('From: a@example.org\r\nSubject: A candidate\r\n\r\nHello.\r\n');
    const diagnosis = '550 \u001b[31mno\u0007 such user\u0085';
    await imap.deliver(deliveryReport(delivery.id, { ...GONE, diagnosis }));
    expect(await readMailbox(options)).toBe(1);
    const { state, undeliverable_reason } = await reader();
    expect(state).toBe('undeliverable');
    expect(undeliverable_reason).toMatch(/^\P{Cc}*\(5\.1\.1 550 \P{Cc}*no\P{Cc}* such user\P{Cc}*$/u);
    expect([await imap.count('INBOX'), await imap.count(READ_FOLDER)]).toEqual([1, 1]);

    const { id, mailbox_hash } = await reader();
    await options.store.transaction((tx) => restore(tx, id, Date.now()));
    expect(await readMailbox(options)).toBe(0);
    await imap.deliver(
      `From: a@example.org\r\nSubject: unsubscribe ${signToken('unsubscribe', mailbox_hash, options.secret)}\r\n\r\n`,
    );
    expect(await readMailbox(options)).toBe(1);
    expect((await reader()).state).toBe('unsubscribed');
  },
);

test.skipIf(isImapMissing())(
  'reads a report that a filter put into junk, and ignores one that is read again',
  async () => {
    const { imap, delivery, reader, options } = await openMailbox();
    const report = deliveryReport(delivery.id, GONE);
    await options.store.db.updateTable('deliveries').set({ finished_at: new Date().toISOString() }).execute();
    await imap.deliver(report, 'Junk');
    expect(await readMailbox(options)).toBe(1);
    const { id, state } = await reader();
    expect(state).toBe('undeliverable');
    await options.store.transaction((tx) => restore(tx, id, Date.now()));
    await imap.deliver(report);
    await imap.deliver(report, 'Junk');
    await readMailbox(options);
    expect((await reader()).state).toBe('subscribed');
  },
);

test.skipIf(isImapMissing())('ignores an old unsubscribe email from somebody who has joined since', async () => {
  const { imap, reader, options } = await openMailbox();
  const token = signToken('unsubscribe', (await reader()).mailbox_hash, options.secret);
  await imap.deliver(
    `From: a@example.org\r\nDate: Mon, 2 Nov 2020 10:00:00 +0000\r\nSubject: unsubscribe ${token}\r\n\r\n`,
  );
  await readMailbox(options);
  expect((await reader()).state).toBe('subscribed');
});

test.skipIf(isImapMissing())('reads a mailbox with many messages newest first, each message once', async () => {
  const { imap, options } = await openMailbox();
  await imap.deliverMany('From: mailer-daemon@mx.example\r\n\r\nx\r\n', 250);
  let writes = 0;
  const breakAt = (limit: number): Store => ({
    ...options.store,
    transaction: (work) => {
      writes += 1;
      if (writes > limit) throw new Error('the store is away');
      return options.store.transaction(work);
    },
  });
  await expect(readMailbox({ ...options, store: breakAt(230) })).rejects.toThrow('the store is away');
  expect(await readMetadata(options.store.db, 'bounce-mailbox-seen INBOX')).toMatch(/"last":250,"earliest":2\d/);
  await readMailbox({ ...options, store: breakAt(280) });
  writes = 0;
  await readMailbox({ ...options, store: breakAt(3) });
});

test.skipIf(isImapMissing())(
  'asks the owner once about the people whom a report without our headers may concern',
  async () => {
    const { imap, reader, options } = await openMailbox();
    const { store } = options;
    const report = deliveryReport('nobody', GONE).replace(
      /--parts\r\nContent-Type: message\/rfc822[^]*/,
      '--parts--\r\n',
    );
    await store.db.updateTable('deliveries').set({ finished_at: new Date().toISOString() }).execute();
    await imap.deliver(report);
    await readMailbox(options);
    expect((await reader()).state).toBe('subscribed');
    const [found] = await listUnmatched(store.db);
    expect(found).toMatchObject({ email: (await reader()).email, reason: expect.stringContaining('no such user') });
    expect(await findOwnerTasks(store, options.env as never, Date.now())).toContainEqual(
      expect.objectContaining({ kind: 'reports', cause: expect.stringContaining(found!.email) }),
    );
    expect(await decideUnmatched(store, found!.id, 'ignore', Date.now())).toBe(found!.email);
    await imap.deliver(report);
    await readMailbox(options);
    expect(await listUnmatched(store.db)).toEqual([]);
    expect((await reader()).state).toBe('subscribed');
  },
);

/** A report with a given machine-readable part. */
function hostileReport(deliveryId: string, status: string): string {
  return deliveryReport(deliveryId, GONE).replace(/Reporting-MTA[^]*?no such user/, () =>
    status.replaceAll('\n', '\r\n'),
  );
}

/** Nested parts, each said to be base64, so that a parser descends into all of them. */
function nestedParts(count: number): string {
  const start = 'From: a@example.org\r\nSubject: Undelivered\r\nMIME-Version: 1.0\r\n';
  const part = (index: number) =>
    `Content-Type: multipart/${index === 0 ? 'report' : 'mixed'}; boundary="b${index}"\r\nContent-Transfer-Encoding: base64\r\n\r\n--b${index}\r\n`;
  return start + Array.from({ length: count }, (_, index) => part(index)).join('');
}

test.skipIf(isImapMissing())('reads reports of any size up to a limit, without delaying the server', async () => {
  const { imap, delivery, reader, options } = await openMailbox();
  await imap.deliver(hostileReport(delivery.id, `Status: 5.1.1\n\n${'Reporting-MTA: dns; a\n\n'.repeat(20_000)}`));
  await imap.deliver(hostileReport(delivery.id, `Status: 5.1.1\n\n${'\n'.repeat(200_000)}`));
  await imap.deliver(`Subject: ${'unsubscribe '.repeat(40_000)}\r\n\r\nx\r\n`);
  await imap.deliver(
    hostileReport(
      delivery.id,
      `Reporting-MTA: dns; a\n\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; ${'a'.repeat(50_000)}`,
    ),
  );
  const readLongestTurn = watchLoop();
  await readMailbox(options);
  expect(await readLongestTurn()).toBeLessThan(250);
  const { state, undeliverable_reason } = await reader();
  expect([state, undeliverable_reason!.length]).toEqual(['undeliverable', expect.closeTo(300, -3)]);
});

test.skipIf(isImapMissing())(
  'logs, flags and skips a message that can’t be read, and applies the next ones',
  async () => {
    const { imap, delivery, reader, options, log } = await openMailbox();
    await imap.deliver(nestedParts(300));
    await imap.deliver(nestedParts(300).replaceAll('base64', '7bit'));
    await imap.deliver(deliveryReport(delivery.id, GONE));
    expect(await readMailbox(options)).toBe(1);
    expect((await reader()).state).toBe('undeliverable');
    expect(log.join('\n')).toMatch(/^Bounce mailbox: message 1 .* flagged and skipped/m);
    expect(await imap.flagged('INBOX')).toEqual([1, 2]);
  },
);

test.skipIf(isImapMissing())('moves each report on a mail server that doesn’t say that the folder exists', async () => {
  const { imap, delivery, options } = await openMailbox();
  const upstream = Number(new URL(imap.url).port);
  const { port, stop } = await listenOnFreePort(
    createServer((socket) => {
      const incoming = socket.pipe(connect(upstream, '127.0.0.1'));
      incoming.on('data', (reply) => socket.write(String(reply).replace('[ALREADYEXISTS] ', '')));
    }),
  );
  onTestFinished(stop);
  await imap.deliver(deliveryReport(delivery.id, GONE));
  await imap.deliver(deliveryReport(delivery.id, GONE));
  expect(await readMailbox({ ...options, url: imap.url.replace(`${upstream}`, `${port}`) })).toBe(2);
  expect(await imap.count(READ_FOLDER)).toBe(2);
});

test.skipIf(isImapMissing())('reads the mailbox if BOUNCE_MAILBOX is set', async () => {
  const imap = server!.openMailbox();
  await imap.deliver('From: a@example.org\r\nSubject: A candidate\r\n\r\nHello.\r\n');
  const { running: first, delivery } = await oneReader();
  await first.stop();
  await imap.deliver(deliveryReport(delivery.id, GONE));
  const running = await startNewsletter({ ...first.place, BOUNCE_MAILBOX: imap.url });
  await waitUntil(() => expect(running.log.join('\n')).toContain('Bounce mailbox: 1 report read.'));
  expect(await imap.count(READ_FOLDER)).toBe(1);
});

/** A server on loopback that rejects the login with this sentence. */
async function refuseLogin(sentence: string): Promise<string> {
  const { port, stop } = await listenOnFreePort(
    createServer((socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] ready\r\n');
      socket
        .on('error', () => undefined)
        .on('data', (data) => {
          const [tag = '', command = ''] = String(data).split(' ');
          const isLogin = /^(login|authenticate)/i.test(command.trim());
          socket.write(isLogin ? `${tag} NO ${sentence}\r\n` : `${tag} OK done\r\n`);
        });
    }),
  );
  onTestFinished(stop);
  return `imap://bounces%40agency.example:secret@127.0.0.1:${port}/INBOX`;
}

test('logs what a mail server says when it rejects the login, without addresses', async () => {
  const url = await refuseLogin('Basic authentication is disabled for bounces@agency.example.');
  const running = await startNewsletter({ BOUNCE_MAILBOX: url });
  await waitUntil(() => expect(running.log.join('\n')).toContain('“Basic authentication is disabled for'));
  expect(running.log.join('\n')).not.toContain('agency.example');
  await waitUntil(async () => expect(await readMailboxFailure(running.store, Date.now() + HOUR)).toBeDefined());
});

test.each([
  ['* BYE Too many connections\r\n', 'the mail server says “Too many connections”'],
  ['220 smtp.agency.example ESMTP\r\n', 'the connection ended'],
])(
  'explains why a mailbox whose server greets with %j can’t be read, without its password',
  async (greeting, expected) => {
    const { port, stop } = await listenOnFreePort(
      createServer((socket) => void socket.on('error', () => undefined).end(greeting)),
    );
    onTestFinished(stop);
    const running = await startNewsletter({ BOUNCE_MAILBOX: `imap://bounces:secret@127.0.0.1:${port}/INBOX` });
    await waitUntil(() => expect(running.log.join('\n')).toContain(`Bounce mailbox: could not be read (${expected})`));
    expect(running.log.join('\n')).not.toContain('secret');
    expect((await signUp(running.url)).status).toBe(200);
  },
);

test('reports a mailbox that has been unreadable for an hour, and alerts the owner once after a day', async () => {
  const running = await startNewsletter();
  const { store } = running;
  const env = { ...running.newsletter.env, BOUNCE_MAILBOX: 'imaps://bounces:secret@imap.example.org/' };
  const begun = Date.now();
  const alerts = () => store.db.selectFrom('deliveries').select('details').where('kind', '=', 'alert').execute();
  const isNeeded = async (after: number) =>
    (await findOwnerTasks(store, env, begun + after)).some(({ kind }) => kind === 'bounce-mailbox');
  await recordMailboxFailure(store, 'the mail server says “no”', begun);
  expect(await isNeeded(HOUR - 1)).toBe(false);
  expect(await isNeeded(HOUR)).toBe(true);
  // Without the setting, nothing is read.
  expect((await findOwnerTasks(store, running.newsletter.env, begun + HOUR)).map(({ kind }) => kind)).not.toContain(
    'bounce-mailbox',
  );
  await recordMailboxFailure(store, 'the mail server says “no”', begun + DAY - 1);
  expect(await alerts()).toEqual([]);
  for (const after of [DAY, DAY + HOUR]) await recordMailboxFailure(store, 'the mail server says “no”', begun + after);
  expect(await alerts()).toEqual([{ details: expect.stringContaining('the mail server says “no”') }]);
  await clearMailboxFailure(store);
  expect(await isNeeded(2 * DAY)).toBe(false);
});

const HOUR = 3600_000;
const DAY = 24 * HOUR;

test('stops without delay if the mailbox stops responding', async () => {
  const login = Promise.withResolvers<void>();
  const { port, stop } = await listenOnFreePort(
    createServer((socket) => {
      socket.on('error', () => undefined).on('data', () => login.resolve());
      socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
    }),
  );
  onTestFinished(stop);
  const running = await startNewsletter({ BOUNCE_MAILBOX: `imap://bounces:secret@127.0.0.1:${port}/INBOX` });
  await login.promise;
  const begun = performance.now();
  await running.stop();
  expect(performance.now() - begun).toBeLessThan(3000);
  expect(running.log.join('\n')).not.toContain('Bounce mailbox');
});
