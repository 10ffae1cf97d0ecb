import { beforeEach, expect, test, vi } from 'vitest';
import { isTooSoon, rememberSubmit } from './last-submit.ts';

const NOON = Date.UTC(2026, 0, 1, 12);

beforeEach(() => sessionStorage.clear());

test('a second submit must wait ten seconds', () => {
  rememberSubmit(NOON);
  expect(isTooSoon(NOON + 9_999)).toBe(true);
  expect(isTooSoon(NOON + 10_000)).toBe(false);
});

test('the first submit need not wait', () => {
  expect(isTooSoon(NOON)).toBe(false);
});

test.each(['tomorrow', 'NaN', '', String(NOON + 60_000)])('a stored time of "%s" blocks nobody', (stored) => {
  sessionStorage.setItem('founder_newsletter_last_submit', stored);
  expect(isTooSoon(NOON)).toBe(false);
});

test('blocked storage blocks nobody', () => {
  const blocked = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: blocked, setItem: blocked });
  expect(() => rememberSubmit(NOON)).not.toThrow();
  expect(isTooSoon(NOON + 1)).toBe(false);
});
