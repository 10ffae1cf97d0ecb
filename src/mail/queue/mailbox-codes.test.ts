import { expect, test } from 'vitest';
import { namesMailbox } from './mailbox-codes.ts';

test.each([
  ['550 5.1.1 no such user', true],
  ['550-5.1.1 no such user\n550 5.1.1 see https://example.org', true],
  ['550-Requested action not taken\n550 5.1.1 no such user', true],
  ['550-Requested action not taken: mailbox unavailable\n550 5.7.1 your server is blocked', false],
  ['550 no such user', true],
  ['550-no such user\n550 see https://example.org', true],
  ['550 5.7.1 blocked', false],
  ['552 5.2.2 mailbox full', false],
  ['554 no', false],
])('whether %j, at RCPT TO, speaks of the mailbox: %s', (reply, expected) => {
  expect(namesMailbox('RCPT TO', reply)).toBe(expected);
});

test('at MAIL FROM the only mailbox that a reply may speak of is the sender’s', () => {
  expect(namesMailbox('MAIL FROM', '550 5.1.1 no such user')).toBe(false);
});
