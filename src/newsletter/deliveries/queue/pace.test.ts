import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

test('doubles the gap at each deferred email, from a second to a minute, and halves it at each accepted one', () => {
  const pace = createPace();
  const gaps = Array.from({ length: 8 }, () => pace.slowDown(0));
  expect(gaps).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  pace.speedUp();
  pace.recordStart(0);
  expect(pace.waitMs(0)).toBe(30_000);
  for (let taken = 0; taken < 6; taken += 1) pace.speedUp();
  pace.recordStart(0);
  expect(pace.waitMs(0)).toBe(0);
});

test('waits from 10 s to 5 min without a login, and counts simultaneous failures once', () => {
  const pace = createPace();
  const holds = Array.from({ length: 7 }, (_, index) => {
    const now = index * 3_600_000;
    const hold = pace.backOff(now);
    expect(pace.backOff(now + 1)).toBe(hold);
    return hold / 1000;
  });
  expect(holds).toEqual([10, 20, 40, 80, 160, 300, 300]);
  pace.speedUp();
  expect(pace.backOff(30 * 3_600_000)).toBe(10_000);
});
