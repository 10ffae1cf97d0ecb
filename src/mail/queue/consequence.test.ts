import { expect, test } from 'vitest';
import { findConsequence } from './consequence.ts';

test('a refusal of the owner’s mailbox ends a notice but no alert, and holds up nothing', () => {
  const end = 'no such mailbox';
  expect(findConsequence('notice', end)).toMatchObject({ delivery: 'refused', others: 'go on' });
  expect(findConsequence('alert', end)).toMatchObject({ delivery: 'put off', others: 'go on' });
});
