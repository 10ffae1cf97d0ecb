import { expect, test } from 'vitest';
import { readBounceReport } from './read-report.ts';

const DELIVERY_ID = '01a2008f-a314-770f-8280-1a2b3c4d5e6f';
const UPDATE_ID = '01a2008f-a314-770f-8280-aaaaaaaaaaaa';

const OUR_HEADERS = ['From: The Agency <office@agency.example>', `Message-ID: <${DELIVERY_ID}@agency.example>`];

const toBytes = (lines: string[]) => Buffer.from(lines.join('\r\n'));

/** A `multipart/report` with a part of this type, which quotes the email with these headers. */
function writeReport(type: string, fields: string[], returned = OUR_HEADERS, returnedType = 'message/rfc822'): Buffer {
  return toBytes([
    'From: Mail Delivery System <mailer-daemon@mx.example>',
    'Content-Type: multipart/report; boundary="cut"',
    '',
    '--cut',
    'Content-Type: text/plain',
    '',
    'Your mail could not be delivered.',
    '--cut',
    `Content-Type: message/${type}`,
    '',
    ...fields,
    '',
    '--cut',
    `Content-Type: ${returnedType}`,
    '',
    ...returned,
    '',
    'Words.',
    '--cut--',
  ]);
}

const writeStatus = (...fields: string[]) =>
  writeReport('delivery-status', [
    'Reporting-MTA: dns; mx.example',
    '',
    'Final-Recipient: rfc822; anna@example.org',
    ...fields,
  ]);

test.each<[string, string, string[]]>([
  [
    'Postfix',
    'mailbox',
    [
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 <anna@example.org>: Recipient address',
      '    rejected: User unknown',
    ],
  ],
  [
    'Exim, whose status is always 5.0.0',
    'mailbox',
    ['Status: 5.0.0', 'Diagnostic-Code: smtp; 550-5.1.1 no account', ' 550 5.1.1 See https://support.example.org'],
  ],
  [
    'a server that adds a comment to the status (RFC 3464)',
    'mailbox',
    ['STATUS: 5.1.1 (bad destination mailbox address)'],
  ],
  [
    'a server that gave up after days',
    'full',
    ['Status: 4.4.7', 'Diagnostic-Code: X-Postfix; connect to mx.example: timed out'],
  ],
  [
    'a server that gave up because of a policy',
    'sender',
    ['Status: 4.7.1', 'Diagnostic-Code: smtp; 450 4.7.1 greylisted'],
  ],
  [
    'Microsoft 365, which gave up after days',
    'full',
    [
      'Status: 5.4.316',
      'Diagnostic-Code: smtp;550 5.4.316 Message expired, connection refused(Socket error code 10061)',
    ],
  ],
  [
    'Cisco, which calls every address unknown',
    'sender',
    ['Status: 5.1.0', "Diagnostic-Code: smtp; 5.1.0 - Unknown address error 550-'5.7.1 Access denied' (attempts: 0)"],
  ],
  [
    'Cisco about an address that is unknown',
    'mailbox',
    ['Status: 5.1.0', "Diagnostic-Code: smtp; 5.1.0 - Unknown address error 550-'5.1.1 User unknown' (attempts: 0)"],
  ],
  [
    'Domino',
    'mailbox',
    ['Status: 5.0.0', 'Diagnostic-Code: X-Notes; User (anna@example.org) not listed in Domino Directory'],
  ],
])('classifies a failure reported by %s as %s', async (_, fault, fields) => {
  const report = await readBounceReport(writeStatus('ACTION: Failed (undeliverable)', ...fields));
  expect(report).toMatchObject({ kind: 'failure', fault, mail: { deliveryIds: [DELIVERY_ID] } });
  expect(JSON.stringify(report)).not.toContain('anna');
});

test('gives the reason as a sentence that quotes the server', async () => {
  const fields = ['Action: failed', 'Status: 5.1.1', 'Diagnostic-Code: smtp; 550 <anna@example.org>: no such user'];
  const reason = expect.stringMatching(
    /^a report says that the mailbox does not exist \(5\.1\.1 550 .*no such user\)$/,
  );
  expect(await readBounceReport(writeStatus(...fields))).toMatchObject({ reason });
});

test.each<[string, Buffer]>([
  ['a delayed email', writeStatus('Action: delayed', 'Status: 4.4.1')],
  ['an email that arrived', writeStatus('Action: delivered', 'Status: 2.0.0')],
  [
    'an alias with one address that it reached',
    writeStatus('Action: failed', 'Status: 5.1.1', '', 'Action: relayed', 'Status: 2.0.0'),
  ],
  ['an email that was read', writeReport('disposition-notification', ['Disposition: automatic-action; displayed'])],
  ['a withdrawn complaint', writeReport('feedback-report', ['Feedback-Type: not-spam'])],
  [
    'somebody else’s email',
    writeReport('delivery-status', ['Action: failed', 'Status: 5.1.1'], ['Message-ID: <a@b.example>']),
  ],
])('ignores a report about %s', async (_, source) => {
  expect(await readBounceReport(source)).toBeUndefined();
});

test('recognises our email by the Message-ID that a report replies to, if a mail server sent the report', async () => {
  const text = ['', 'Your message to anna@example.org could not be delivered.', '550 5.1.1 unknown user'];
  const answer = `In-Reply-To: <${DELIVERY_ID}@agency.example>`;
  const mail = { deliveryIds: [DELIVERY_ID] };
  expect(await readBounceReport(toBytes(['Return-Path: <>', answer, ...text]))).toMatchObject({
    kind: 'failure',
    mail,
  });
  expect(await readBounceReport(toBytes(['Return-Path: <ben@mx.example>', answer, ...text]))).toMatchObject({
    kind: 'unmatched',
  });
  const status = writeStatus('Action: failed', 'Status: 5.1.1').toString().replace(DELIVERY_ID, 'other');
  const named = status.replace(
    'Reporting-MTA',
    `X-Original-Message-ID: <${DELIVERY_ID}@agency.example>\r\nReporting-MTA`,
  );
  expect(await readBounceReport(Buffer.from(named))).toMatchObject({ kind: 'failure', mail });
});

test.each(['Abuse', 'opt-out'])('reads a complaint of type %s', async (type) => {
  const source = writeReport('feedback-report', [`Feedback-Type: ${type}`, 'Version: 1']);
  expect(await readBounceReport(source)).toMatchObject({ kind: 'complaint' });
});

const REPLACED = 'Message-ID: <0102019-7f0e1a2b-0000-4c3d-9e8f-112233445566-000000@relay.example>';

test.each<[string, string[], object, string?]>([
  [
    'X-Delivery-ID',
    [REPLACED, `X-Delivery-Id: ${DELIVERY_ID}`],
    { deliveryIds: expect.arrayContaining([DELIVERY_ID]) },
  ],
  [
    'folded headers in another case',
    ['MESSAGE-ID:', ` <${DELIVERY_ID}@agency.example>`],
    { deliveryIds: [DELIVERY_ID] },
  ],
  [
    'List-Unsubscribe and Feedback-ID',
    [
      REPLACED,
      'List-Unsubscribe: <https://agency.example/newsletter/unsubscribe/a_b-c.d>,',
      '\t<mailto:office@agency.example?subject=unsubscribe%20a_b-c.d>',
      `Feedback-ID: ${UPDATE_ID}:update:agency.example`,
    ],
    { token: 'a_b-c.d', updateId: UPDATE_ID },
  ],
  ['only headers', OUR_HEADERS, { deliveryIds: [DELIVERY_ID] }, 'text/rfc822-headers'],
  ['international headers', OUR_HEADERS, { deliveryIds: [DELIVERY_ID] }, 'message/global-headers'],
])('recognises an email by %s', async (_, returned, mail, type) => {
  const source = writeReport('delivery-status', ['Action: failed', 'Status: 5.1.1'], returned, type);
  expect(await readBounceReport(source)).toMatchObject({ kind: 'failure', mail });
});

test('reads a report that a gateway wrapped, and one with base64 parts', async () => {
  const inner = writeStatus('Action: failed', 'Status: 5.1.1').toString();
  const wrapped = toBytes([
    'From: postmaster@agency.example',
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    '--outer',
    inner.slice(inner.indexOf('Content-Type')),
    '--outer',
    'Content-Type: text/plain',
    '',
    'This mail came from outside.',
    '--outer--',
  ]);
  expect(await readBounceReport(wrapped)).toMatchObject({ fault: 'mailbox' });
  const encoded = inner.replace(
    '\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n',
    '\r\nContent-Transfer-Encoding: base64\r\n\r\n',
  );
  const fields = /Final-Recipient[^]*?5\.1\.1/.exec(encoded)![0];
  const source = encoded.replace(fields, Buffer.from(fields).toString('base64'));
  expect(await readBounceReport(Buffer.from(source))).toMatchObject({ fault: 'mailbox' });
});

test.each<[string, string | undefined, string[]]>([
  [
    'Exim',
    'mailbox',
    [
      'A message that you sent could not be delivered to one or more of its recipients. This is a permanent error.',
      '',
      '  anna@example.org',
      '    host mx.example.org [192.0.2.1]',
      '    SMTP error from remote mail server after RCPT TO:<anna@example.org>:',
      '    550 5.1.1 <anna@example.org>: User unknown',
      '',
      '------ This is a copy of the message, including all the headers. ------',
    ],
  ],
  [
    'qmail',
    'mailbox',
    [
      "Hi. This is the qmail-send program at mx.example.org. I'm afraid I wasn't able to deliver your message.",
      "This is a permanent error; I've given up. Sorry it didn't work out.",
      '',
      '<anna@example.org>:',
      'Sorry, no mailbox here by that name. (#5.1.1)',
      '',
      '--- Below this line is a copy of the message.',
    ],
  ],
  [
    'a server that gives no reason',
    'unclear',
    ['Your message could not be delivered.', '', '--- Below this line is a copy of the message.'],
  ],
  [
    'Exim about a delay',
    undefined,
    [
      'A message that you sent has been delayed for 24 hours. It could not be delivered so far.',
      'Delivery attempts will continue.',
      '',
      '------ This is a copy of the message, including all the headers. ------',
    ],
  ],
])('reads the plain text of %s', async (_, fault, lines) => {
  const headers = ['From: Mailer-Daemon@mx.example', 'X-Failed-Recipients: anna@example.org', ''];
  const report = await readBounceReport(
    toBytes([...headers, ...lines, '', ...OUR_HEADERS, '', '450 words of an update.']),
  );
  expect(report && 'fault' in report ? report.fault : undefined).toBe(fault);
});

test.each(['Auto-Submitted: auto-replied (vacation)', 'X-Autoreply: yes', 'Precedence: auto_reply'])(
  'doesn’t mistake a postmaster’s out-of-office reply for a failure: %s',
  async (header) => {
    const lines = [
      'From: postmaster@example.org',
      header,
      '',
      'I am away and can not be delivered a mail until the',
      '550',
    ];
    expect(
      await readBounceReport(toBytes([...lines, 'User of the parcel shop is back.', '', ...OUR_HEADERS])),
    ).toBeUndefined();
  },
);
