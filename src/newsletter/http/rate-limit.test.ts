import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

test('a hundred thousand clients are remembered, and one more clears them all', () => {
  const mayTry = createRateLimit({ atOnce: 1, intervalMs: 1000 });
  for (let client = 0; client < 100_000; client += 1) mayTry(String(client), 0);
  expect(mayTry('0', 0)).toBe(1);
  expect(mayTry('another', 0)).toBe(0);
  expect(mayTry('0', 0)).toBe(0);
});
