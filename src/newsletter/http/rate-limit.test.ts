import { expect, test } from 'vitest';
import { createSignUpLimit, createRateLimit } from './rate-limit.ts';

test('remembers a hundred thousand clients, and forgets them all when there is one more', () => {
  const mayTry = createRateLimit({ atOnce: 1, intervalMs: 1000 });
  for (let client = 0; client < 100_000; client += 1) mayTry(String(client), 0);
  expect(mayTry('0', 0)).toBe(1);
  expect(mayTry('another', 0)).toBe(0);
  expect(mayTry('0', 0)).toBe(0);
});

test('limits a /48 as a whole, in addition to its /64s', () => {
  const mayTry = createSignUpLimit();
  const taken = Array.from({ length: 300 }, (_, index) => mayTry(`2001:db8:7:${index.toString(16)}`, 0));
  expect(taken.filter((wait) => wait === 0)).toHaveLength(100);
  expect(mayTry('2001:db8:8:0', 0)).toBe(0);
  expect(mayTry('192.0.2.1', 0)).toBe(0);
});
