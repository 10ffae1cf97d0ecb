import { expect, test } from 'vitest';
import { classifyFailure } from './classify-failure.ts';

test('a refusal by the owner’s mailbox fails a notice but no alert, and delays nothing', () => {
  const result = 'no such mailbox';
  expect(classifyFailure('notice', result)).toMatchObject({ delivery: 'refused', others: 'go on' });
  expect(classifyFailure('alert', result)).toMatchObject({ delivery: 'deferred', others: 'go on' });
});
