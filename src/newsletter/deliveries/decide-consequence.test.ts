import { expect, test } from 'vitest';
import { decideConsequence } from './decide-consequence.ts';

test('fails a notice but not an alert if the owner’s mailbox rejects it, and delays nothing else', () => {
  const ending = { kind: 'rejected', fault: 'mailbox' } as const;
  expect(decideConsequence('notice', ending)).toMatchObject({ delivery: 'rejected', others: 'go on' });
  expect(decideConsequence('alert', ending)).toMatchObject({ delivery: 'deferred', others: 'go on' });
});
