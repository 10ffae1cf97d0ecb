import { expect, test } from 'vitest';
import { readBounceReport } from './read-report.ts';

/*
 * Reports that quote no part of the email.
 */

const toBytes = (lines: string[]) => Buffer.from(lines.join('\r\n'));

const TWO_PARTS = Buffer.from(`Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@mx.example>
To: hello@larkfield.example
Subject: Message undeliverable
Auto-Submitted: auto-replied
Message-ID: <5-mail-two-parts@mx.example>
Date: Sat, 28 Nov 2026 10:15:00 +0000
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="part-5-mail"

--part-5-mail
Content-Type: text/plain; charset=us-ascii

The mailbox that you wrote to does not exist.

--part-5-mail
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example
Arrival-Date: Sat, 28 Nov 2026 10:14:58 +0000

Final-Recipient: rfc822; ada@example.org
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such user here

--part-5-mail--
`);

const HMAILSERVER = Buffer.from(`Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@mx.example>
To: hello@larkfield.example
Subject: Message undeliverable
Auto-Submitted: auto-replied
Message-ID: <5-mail-plain-text@mx.example>
Date: Sat, 28 Nov 2026 10:20:00 +0000
MIME-Version: 1.0
Content-Type: text/plain; charset="utf-8"

Some recipients did not get your message.

   Subject: What we saw
   Sent: Sat, 28 Nov 2026 10:19:57 +0000

These recipients could not be reached:

bea@example.org
   Error Type: SMTP
   The remote server (192.0.2.7) answered with an error.
   hMailServer sent: RCPT TO:<bea@example.org>
   The remote server replied: 550 5.1.1 unknown user

hMailServer
`);

test.each([
  ['a report with only two parts', TWO_PARTS, ['ada@example.org']],
  ['the sentences of hMailServer', HMAILSERVER, ['bea@example.org']],
])('finds the failed recipient in a report without our headers: %s', async (_, source, emails) => {
  const report = await readBounceReport(source);
  expect(report).toMatchObject({ kind: 'unmatched', emails: expect.arrayContaining(emails) });
  expect(await readBounceReport(source)).toEqual(report);
  expect(JSON.stringify((report as { reason: string }).reason)).not.toContain('@');
});

/** Reports that quote no part of the email: the server, part of the reason that we read, and the server's sentences. */
const TEXTS = `
Exchange | mailbox
  Your message did not reach some or all of the intended recipients.
  The following recipient(s) could not be reached:
  anna@example.org on 28/11/2026 10:20
  The e-mail account does not exist at the organization this message was sent to.
  <mx.example #5.1.1 smtp;550 5.1.1 unknown user>
Microsoft 365 | mailbox
  Your message to anna@example.org couldn't be delivered.
  anna wasn't found at example.org.
  Status code: 550 5.1.10
Postfix, with a sentence on two lines | mailbox
  I'm sorry to have to inform you that your message could not
  be delivered to one or more recipients. It's attached below.
  <anna@example.org>: unknown user: "anna"
Exim | mailbox
  A message that you sent could not be delivered. This is a permanent error.
  anna@example.org
  Unrouteable address
Yahoo | mailbox
  Sorry, we were unable to deliver your message to the following address.
  <anna@example.org>:
  554: delivery error: dd This user doesn't have a yahoo.com account (anna@example.org) [0]
Gmail | mailbox
  Your message wasn't delivered to anna@example.org because the address couldn't be found.
  The response was:
  550 5.1.1 The email account that you tried to reach does not exist.
SmarterMail | mailbox
  Could not deliver message to the following recipient(s):
  Failed Recipient: anna@example.org
  Reason: Remote host said: 550 5.1.1 The email account that you tried to reach does not exist.
MDaemon | mailbox
  The attached message had PERMANENT fatal delivery errors.
  <-- 550 5.1.1 <anna@example.org> unknown user
Domino | mailbox
  Your message was not delivered to:
  anna@example.org
  User anna (anna@example.org) not listed in Domino Directory
GroupWise | mailbox
  The message that you sent was undeliverable to the following:
  anna@example.org (user not found)
Zoho | mailbox
  A message that you sent could not be delivered to one or more of its recipients.
  anna@example.org Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1, mailbox does not exist
Zimbra in German | mailbox
  Leider konnte Ihre Nachricht nicht an einen oder mehrere Empfänger zugestellt werden.
  <anna@example.org>: host mx.example said: 550 5.1.1 User unknown
Exchange in French | mailbox
  Échec de la remise pour ces destinataires ou groupes :
  anna@example.org
  #550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##
OpenSMTPD | mailbox
  This is the MAILER-DAEMON, please DO NOT REPLY to this e-mail.
  An error has occurred while attempting to deliver a message for
  the following list of recipients:
  anna@example.org: Domain does not exist
DragonFly Mail Agent | mailbox
  There was an error delivering your mail to <anna@example.org>.
  mx.example [192.0.2.7] did not like our RCPT TO:
  550 5.1.1 <anna@example.org>: unknown user
amavis | mailbox
  The message WAS NOT relayed to:
  <anna@example.org>: 550 5.1.1 Failed, from MTA([127.0.0.1]:10025): 550 5.1.1 User unknown
Amazon WorkMail | could not accept
  An error occurred while trying to deliver the mail to the following recipients:
  anna@example.org
  Diagnostic-Code: smtp; 550 5.2.2 <anna@example.org>... Mailbox Full
qmail that names the sender first | mailbox
  Hi. This is the qmail-send program at mx.example. I wasn't able to deliver your message.
  <anna@example.org>:
  From: <hello@larkfield.example> RCPT: <anna@example.org> 192.0.2.7 does not like recipient.
  Remote host said: 550 5.1.1 <anna@example.org>: Recipient address rejected: User unknown.
GMX | mailbox
  A message that you sent could not be delivered. This is a permanent error.
  "anna@example.org":
  SMTP error from remote server after RCPT command:
  host: mx.example
  5.1.1 <anna@example.org>... User Unknown
an old sendmail | mailbox
  ----- Transcript of session follows -----
  550 <anna@example.org>... Host unknown
IMail | could not accept
  User mailbox exceeds allowed size: anna@example.org
a gateway to phones | mailbox
  Error: Invalid user address
  550 - Requested action not taken: no such user here
  RCPT TO: anna@example.org
SendGrid | could not accept
  I'm sorry to have to tell you that your message was not able to be
  delivered to one of its intended recipients.
  anna:00000:<anna@example.org> : Connection timed out in connect
Exim after five days | could not accept
  This is a permanent error. The following address(es) failed:
  anna@example.org
  host mx.example.org [192.0.2.7]: Connection refused: retry timeout exceeded
a server in Dutch, without a reason | recipient was rejected
  Het bericht kan niet worden bezorgd: anna@example.org
`;

test.each(
  TEXTS.trim()
    .split(/\n(?=\S)/)
    .map((each) => each.split(/ \| |\n {2}/) as [string, string, ...string[]]),
)('for a report from %s, gives a reason that mentions “%s”', async (_, blamed, ...lines) => {
  const headers = ['From: MAILER-DAEMON@mx.example', 'To: hello@larkfield.example', ''];
  const report = await readBounceReport(toBytes([...headers, ...lines, 'Written to hello@larkfield.example.']));
  const reason = expect.stringContaining(blamed);
  expect(report).toMatchObject({ kind: 'unmatched', emails: ['anna@example.org'], reason });
});

test('finds the address in X-Failed-Recipients if the text lacks it', async () => {
  const lines = [
    'From: MAILER-DAEMON@mx.example',
    'X-Failed-Recipients: anna@example.org',
    '',
    'This is a permanent error.',
    'save to /mail/anna: mailbox is full',
  ];
  expect(await readBounceReport(toBytes(lines))).toMatchObject({
    emails: ['anna@example.org'],
    reason: expect.stringContaining('could not accept'),
  });
});

test.each([
  ['names no reason', ['Final-Recipient: rfc822; anna@example.org', 'Action: failed', 'Status: 5.0.0']],
  ['names nobody', ['Arrival-Date: Sat, 28 Nov 2026 10:14:58 +0000']],
])('reads the text of a report whose status %s', async (_, fields) => {
  const source = TWO_PARTS.toString()
    .replace(
      'The mailbox that you wrote to does not exist.',
      'Delivery to ada@example.org failed permanently: 552 5.2.2 mailbox full',
    )
    .replace(/Final-Recipient[^]*such user here/, fields.join('\n'));
  expect(await readBounceReport(Buffer.from(source))).toMatchObject({
    kind: 'unmatched',
    reason: expect.stringContaining('could not accept'),
  });
});

test('reads the status after a page of HTML as long as AOL’s', async () => {
  const page = `Content-Type: text/html\n\n${'<br>\n'.repeat(1200)}\n`;
  const source = TWO_PARTS.toString().replace(/Content-Type: text\/plain[^]*exist\.\n/, page);
  expect(await readBounceReport(Buffer.from(source))).toMatchObject({ emails: ['ada@example.org'] });
});

test.each([
  'Warning: message still undelivered after 4 hours. Will keep trying until message is 5 days old',
  'Your message could not be delivered for more than 4 hour(s). It will be retried until it is 5 day(s) old.',
  'This message hasn’t been delivered yet. Delivery will continue to be attempted.',
])('doesn’t mistake a delay for a failure: %s', async (text) => {
  const headers = ['From: MAILER-DAEMON@mx.example', '', '<anna@example.org>: 450 4.4.1 Connection timed out'];
  expect(await readBounceReport(toBytes([...headers, text]))).toBeUndefined();
});
