import { expect, test } from 'vitest';
import { DeliveryFailure } from '../delivery-failure.ts';
import { findLoginAdvice } from './login-advice.ts';

test.each([
  [
    '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.',
    'mail.relay.test',
    'no password will work',
  ],
  ['535 5.7.3 Authentication unsuccessful', 'smtp.office365.com', 'Authenticated SMTP'],
  ['535 5.7.3 Authentication unsuccessful [X.PROD.OUTLOOK.COM]', 'mail.relay.test', 'Authenticated SMTP'],
  ['535 5.7.139 the user credentials were incorrect.', 'smtp.office365.com', 'the user name or the password is wrong'],
  ['535 5.7.0 https://help.mail.ru/mail/security/protection/external', 'relay.test', 'create an app password'],
  ['535 5.7.8 authentication failed', 'securesmtp.t-online.de', 'password for email programs'],
  ['535 5.7.8 Authentication failed', 'smtp-relay.brevo.com', 'SMTP key'],
  ['525 5.7.1 Unauthorized IP address', 'smtp-relay.brevo.com', 'Authorized IPs'],
  ['535 Authentication failed', 'smtp.mandrillapp.com', 'under SMTP'],
  ['535 Authentication failed', 'smtp.mailersend.net', 'under SMTP'],
  ['535 Authentication failed', 'smtp.virginmedia.com', 'app password'],
  ['535 Authentication Credentials Invalid', 'email-smtp.eu-west-1.amazonaws.com', 'under SMTP'],
  ['535 5.7.139 basic authentication is disabled', 'smtp-mail.outlook.com', 'Use another mail server'],
  ['534-5.7.9 Application-specific password required. - gsmtp', 'smtp.gmail.com', 'myaccount.google.com/apppasswords'],
  ['535-5.7.8 Username and Password not accepted.', 'smtp.gmail.com', 'app password'],
  ['535 5.7.0 (#AUTH005) Too many bad auth attempts.', 'relay.test', 'Generate app password'],
  ['535 5.7.8 Error: authentication failed', 'smtp.mail.me.com', 'account.apple.com'],
  ['535 Authentication credentials invalid', 'mail.gmx.net', 'POP3 and IMAP access'],
  ['535 Authentication failed: Bad username / password', 'smtp.sendgrid.net', 'apikey'],
])('says what to do about %s from %s', (reply, host, expected) => {
  expect(findLoginAdvice(reply, host)).toContain(expected);
});

test('doesn’t cut advice off', () => {
  const advice = findLoginAdvice('535 5.7.139 no', 'smtp.office365.com')!;
  const reason = `the mail server rejects the login (${'x'.repeat(200)}). ${advice}`;
  expect(new DeliveryFailure(reason).message).toBe(reason);
});

test('gives no advice for a self-hosted mail server, where the password may just be wrong', () => {
  expect(findLoginAdvice('535 5.7.8 Error: authentication failed', 'mail.larkfield.example')).toBeUndefined();
});
