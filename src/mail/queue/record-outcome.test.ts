import { expect, test } from 'vitest';
import { pauseAfter } from './record-outcome.ts';

const HOUR = 3_600_000;

test('pauses between tries grow from half a minute to six hours', () => {
  const pauses = Array.from({ length: 14 }, (_, index) => pauseAfter(index + 1, 0.5));
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses[0]).toBeLessThan(45_000);
  expect(pauseAfter(1, 0)).toBe(30_000);
  expect(pauseAfter(30, 1)).toBe(6 * HOUR);
});

test('deliveries that failed together come back apart', () => {
  expect(pauseAfter(5, 0.9)).toBeGreaterThan(pauseAfter(5, 0.1));
});

test('a week holds between 28 and 50 tries', () => {
  for (const random of [0, 1]) {
    let waited = 0;
    let tries = 1;
    while (waited + pauseAfter(tries, random) < 7 * 24 * HOUR) {
      waited += pauseAfter(tries, random);
      tries += 1;
    }
    expect(tries).toBeGreaterThan(28);
    expect(tries).toBeLessThan(50);
  }
});
