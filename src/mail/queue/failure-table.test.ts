import { expect, test } from 'vitest';
import { findConsequence, namesMailbox } from './failure-table.ts';

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

test('a refusal of the owner’s mailbox without a code ends a notice, and holds up nothing', () => {
  const end = { stage: 'RCPT TO', answer: 'no such mailbox', hasCode: false } as const;
  expect(findConsequence('notice', end)).toMatchObject({ delivery: 'refused', others: 'go on' });
  expect(findConsequence('alert', end)).toMatchObject({ delivery: 'put off', others: 'go on' });
});
