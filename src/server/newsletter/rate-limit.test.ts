import { expect, test, vi } from 'vitest';
import { createSignUpLimit, createRateLimit } from './rate-limit.ts';

test('a clock that is set back refuses nobody', () => {
  const mayTry = createRateLimit({ atOnce: 1, intervalMs: 20 });
  const now = Date.now();
  expect(mayTry('192.0.2.1')).toBe(0);
  vi.spyOn(Date, 'now').mockReturnValue(now - 3600_000);
  expect(mayTry('192.0.2.1')).toBeLessThanOrEqual(1);
});

test('past a hundred thousand clients each further one is taken as fast', () => {
  const mayTry = createRateLimit({ atOnce: 1, intervalMs: 1000 });
  const take = (from: number) => {
    const before = process.threadCpuUsage();
    for (let client = from; client < from + 50_000; client += 1) mayTry(String(client), 0);
    return process.threadCpuUsage(before).user;
  };
  const early = take(0) + take(50_000);
  // In time of the processor, since the machine may be busy: one eviction each took 16 times as long.
  expect(take(100_000) + take(150_000)).toBeLessThan(8 * early);
});

test('a network of /48 has a limit beside that of each /64 in it', () => {
  const mayTry = createSignUpLimit();
  const taken = Array.from({ length: 300 }, (_, index) => mayTry(`2001:db8:7:${index.toString(16)}`, 0));
  expect(taken.filter((wait) => wait === 0)).toHaveLength(100);
  expect(mayTry('2001:db8:8:0', 0)).toBe(0);
  expect(mayTry('192.0.2.1', 0)).toBe(0);
});
