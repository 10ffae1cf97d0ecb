import { expect, test } from 'vitest';
import { decideConsequence } from './delivery-failure.ts';

test('a rejection by the owner’s mailbox fails a notice but not an alert, and delays nothing else', () => {
  const ending = { kind: 'refused', fault: 'mailbox' } as const;
  expect(decideConsequence('notice', ending)).toMatchObject({ delivery: 'refused', others: 'go on' });
  expect(decideConsequence('alert', ending)).toMatchObject({ delivery: 'deferred', others: 'go on' });
});
