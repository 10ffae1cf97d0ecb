import { expect, test, vi } from 'vitest';
import { createSignUpLimit, createRateLimit } from './rate-limit.ts';

test('a clock that is set back refuses nobody', () => {
  const mayTry = createRateLimit({ atOnce: 1, intervalMs: 20 });
  const now = Date.now();
  expect(mayTry('192.0.2.1')).toBe(0);
  vi.spyOn(Date, 'now').mockReturnValue(now - 3600_000);
  expect(mayTry('192.0.2.1')).toBeLessThanOrEqual(1);
});

test('a hundred thousand clients are remembered, and all are forgotten when there are more', () => {
  const mayTry = createRateLimit({ atOnce: 1, intervalMs: 1000 });
  for (let client = 0; client < 100_000; client += 1) mayTry(String(client), 0);
  expect(mayTry('0', 0)).toBe(1);
  expect(mayTry('another', 0)).toBe(0);
  expect(mayTry('0', 0)).toBe(0);
});

test('a network of /48 has a limit beside that of each /64 in it', () => {
  const mayTry = createSignUpLimit();
  const taken = Array.from({ length: 300 }, (_, index) => mayTry(`2001:db8:7:${index.toString(16)}`, 0));
  expect(taken.filter((wait) => wait === 0)).toHaveLength(100);
  expect(mayTry('2001:db8:8:0', 0)).toBe(0);
  expect(mayTry('192.0.2.1', 0)).toBe(0);
});
