import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { respondInSteps } from './responses.ts';

test.each([
  ['at once', 0, 50],
  ['after a step', 60, 100],
])('rounds the response time up to a multiple of 50 ms if the work is done %s', async (_, workMs, answerMs) => {
  const started = performance.now();
  expect(await respondInSteps(setTimeout(workMs, 'stored'))).toBe('stored');
  // Timers count in whole milliseconds, so one may fire a fraction early.
  expect(performance.now() - started).toBeGreaterThan(answerMs - 2);
});

test('rounds the response time up if the work fails, too', async () => {
  const started = performance.now();
  await expect(respondInSteps(Promise.reject(new Error('The store failed')))).rejects.toThrow('The store failed');
  expect(performance.now() - started).toBeGreaterThan(48);
});
