import { expect, test } from 'vitest';
import { decideConsequence } from './delivery-failure.ts';

test('a refusal by the owner’s mailbox fails a notice but no alert, and delays nothing', () => {
  const ending = { kind: 'refused', fault: 'mailbox' } as const;
  expect(decideConsequence('notice', ending)).toMatchObject({ delivery: 'refused', others: 'go on' });
  expect(decideConsequence('alert', ending)).toMatchObject({ delivery: 'deferred', others: 'go on' });
});
