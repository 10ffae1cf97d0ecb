import { expect, test } from 'vitest';
import { describeAccountLimit } from './account-limits.ts';

const describeFor = (SMTP_URL: string, total: number, MAIL_DAILY_CAP?: number) =>
  describeAccountLimit({ SMTP_URL, MAIL_DAILY_CAP }, total);

test.each([
  [
    'smtps://a:b@smtp.gmail.com',
    700,
    /about 500 emails a day \(2,000 with Google Workspace\)\. The rest will get it on the following days/,
  ],
  ['smtp://a:b@smtp.office365.com:587', 700, /about 10,000 emails a day .* you send yourself count too/],
  ['smtp://a:b@smtp-relay.brevo.com:587', 700, /about 300 emails a day \(on the free plan\)/],
])('says before sending what an account at %s allows for %i people', (url, total, sentence) => {
  expect(describeFor(url, total)).toMatch(sentence);
});

test('says nothing about an unknown server, or if the owner’s own limit is within it', () => {
  expect(describeFor('smtp://mail.larkfield.example', 700)).toBeUndefined();
  expect(describeFor('smtps://a:b@smtp.gmail.com', 700, 400)).toBeUndefined();
});
