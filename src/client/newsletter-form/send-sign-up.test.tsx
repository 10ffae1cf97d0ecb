import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isTooSoon, rememberSubmit } from './send-sign-up.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

beforeEach(() => {
  sessionStorage.clear();
  vi.useFakeTimers({ now: NOON });
});

afterEach(() => vi.useRealTimers());

test('rejects a second submission within ten seconds', () => {
  rememberSubmit();
  vi.advanceTimersByTime(9_999);
  expect(isTooSoon()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(isTooSoon()).toBe(false);
});

test.each([undefined, 'tomorrow', String(NOON + 60_000)])('allows a submission if the stored time is %j', (stored) => {
  if (stored !== undefined) sessionStorage.setItem('founder_newsletter_last_submit', stored);
  expect(isTooSoon()).toBe(false);
});

test('allows a submit if storage is blocked', () => {
  const blocked = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: blocked, setItem: blocked });
  expect(() => rememberSubmit()).not.toThrow();
  expect(isTooSoon()).toBe(false);
});
