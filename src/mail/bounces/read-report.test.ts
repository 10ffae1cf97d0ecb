import { expect, test } from 'vitest';
import { readReport, readUnsubscribeToken } from './read-report.ts';

const DELIVERY_ID = '01a2008f-a314-770f-8280-1a2b3c4d5e6f';

/** A report whose machine-readable part has this type and holds these lines. */
function report(type: string, ...lines: string[]) {
  return readReport({
    machineHeaders: `Content-Type: message/${type}`,
    machinePart: lines.join('\r\n'),
    returnedPart: `Subject: An update\r\nMessage-ID: <${DELIVERY_ID}@agency.example>\r\n`,
  });
}

test.each([
  [
    'Postfix',
    'permanent',
    [
      'Reporting-MTA: dns; mx.example.org',
      '',
      'Final-Recipient: rfc822; anna@example.org',
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 <anna@example.org>: Recipient address rejected:',
      '    User unknown in virtual mailbox table',
    ],
  ],
  [
    'Exim, whose status is always 5.0.0',
    'permanent',
    [
      'Reporting-MTA: dns; mx.example.org',
      '',
      'Action: failed',
      'Final-Recipient: rfc822;anna@example.org',
      'Status: 5.0.0',
      'Diagnostic-Code: smtp; 550-5.1.1 The account does not exist.',
      ' 550 5.1.1 See https://support.example.org',
    ],
  ],
  [
    'Exim, of a policy',
    'refusal',
    ['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 550 5.7.1 anna@example.org blocked'],
  ],
  [
    'Exim, without another code',
    'refusal',
    ['Action: failed', 'Status: 5.0.0', 'Diagnostic-Code: smtp; 550 Administrative prohibition'],
  ],
  [
    'a server that comments the status (RFC 3464)',
    'permanent',
    ['Action: Failed (undeliverable)', 'Status: 5.1.1 (bad destination mailbox address)'],
  ],
  [
    'Exchange',
    'permanent',
    [
      'Reporting-MTA: dns;AM0PR01.eurprd01.prod.outlook.example',
      '',
      'Final-Recipient: rfc822;anna@example.org',
      'Action: failed',
      'Status: 5.1.10',
      'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient anna@example.org not found',
    ],
  ],
  [
    'Gmail, of a full mailbox',
    'temporary',
    ['Action: failed', 'Status: 5.2.2', 'Diagnostic-Code: smtp; 552-5.2.2 anna@example.org is over quota'],
  ],
  [
    'a server that gave up after days',
    'temporary',
    ['Action: failed', 'Status: 4.4.1', 'Diagnostic-Code: X-Sendmail; x'],
  ],
] as const)('a report of %s is %s', (_, kind, lines) => {
  const read = report('delivery-status', ...lines);
  expect(read).toMatchObject({ kind, deliveryId: DELIVERY_ID });
  expect(JSON.stringify(read)).not.toContain('anna');
});

test.each(['5.7.1', '5.4.5', '5.3.0', '5.1.8'])(
  'a failure for good with status %s does not name the mailbox',
  (status) => {
    expect(report('delivery-status', 'Action: failed', `Status: ${status}`)).toMatchObject({ kind: 'refusal' });
  },
);

test.each([
  ['5.1.1', /^a report says that the mailbox does not exist \(5\.1\.1 smtp; 550 .*no such user\)$/],
  ['4.2.2', /^a report says that the mailbox could not be reached \(4\.2\.2 smtp; 550 .*no such user\)$/],
])('the reason of a report with status %s is in words', (status, reason) => {
  const diagnosis = 'Diagnostic-Code: smtp; 550 <anna@example.org>: no such user';
  const read = report('delivery-status', 'Action: failed', `Status: ${status}`, diagnosis);
  expect(read).toMatchObject({ reason: expect.stringMatching(reason) });
});

test('a report about an address that is not of ASCII alone is read (RFC 6533)', () => {
  expect(report('global-delivery-status', 'Action: failed', 'Status: 5.1.1')).toMatchObject({ kind: 'permanent' });
});

test.each(['abuse', 'Abuse', 'fraud'])('a complaint of the type %s is read', (type) => {
  expect(report('feedback-report', `Feedback-Type: ${type}`, 'Version: 1')).toMatchObject({ kind: 'complaint' });
});

test.each([
  [
    'an answer that was read',
    'disposition-notification',
    'Disposition: automatic-action/MDN-sent-automatically; displayed',
  ],
  ['a complaint that is taken back', 'feedback-report', 'Feedback-Type: not-spam'],
  ['a report of a mail that arrived', 'delivery-status', 'Action: delivered\r\nStatus: 2.0.0'],
])('%s is none', (_, type, lines) => {
  expect(report(type, lines)).toBeUndefined();
});

test.each(['unsubscribe a.b_c-d', 'Unsubscribe  a.b_c-d ', 'unsubscribe\r\n a.b_c-d', '\r\n unsubscribe\r\n\ta.b_c-d'])(
  'the subject %j asks to be unsubscribed',
  (subject) => {
    expect(readUnsubscribeToken(`From: a@example.org\r\nSubject: ${subject}\r\nTo: b@example.org\r\n`)).toBe('a.b_c-d');
  },
);

test.each(['Re: unsubscribe a.b', 'unsubscribe', 'unsubscribe a.b please', 'Please unsubscribe a.b'])(
  'the subject %j does not',
  (subject) => {
    expect(readUnsubscribeToken(`Subject: ${subject}\r\n`)).toBeUndefined();
  },
);
