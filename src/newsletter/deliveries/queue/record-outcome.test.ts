import { expect, test } from 'vitest';
import { pauseAfter } from './record-outcome.ts';

test('doubles the pause between attempts from 40 s to six hours, minus up to a random quarter', () => {
  const seconds = Array.from({ length: 12 }, (_, tries) => pauseAfter(tries + 1, 1) / 1000);
  expect(seconds).toEqual([40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 20_480, 21_600, 21_600]);
  expect(pauseAfter(1, 0)).toBe(30_000);
  expect(pauseAfter(5, 0.9)).toBeGreaterThan(pauseAfter(5, 0.1));
});
