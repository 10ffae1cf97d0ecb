import { expect, test } from 'vitest';
import { removeSeparators } from './words.ts';

test.each(['1204', ' 1,204 ', '1.204', '1 204', '1\u00A0204', '1’204'])('%j is a number as people type it', (typed) => {
  expect(removeSeparators(typed)).toBe('1204');
});
