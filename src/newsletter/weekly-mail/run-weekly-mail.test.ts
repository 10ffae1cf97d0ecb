import { expect, test } from 'vitest';
import { findWeek } from './run-weekly-mail.ts';

test.each([
  ['Sunday evening', '2026-11-22T23:59:00Z', '2026-11-16', false],
  ['Monday before eight', '2026-11-23T07:59:00Z', '2026-11-23', false],
  ['Monday at eight', '2026-11-23T08:00:00Z', '2026-11-23', true],
  ['a summer Monday at eight in London, which is seven in UTC', '2026-07-06T07:00:00Z', '2026-07-06', true],
  ['Monday night', '2026-11-23T23:59:00Z', '2026-11-23', true],
  ['Tuesday', '2026-11-24T09:00:00Z', '2026-11-23', false],
])('decides whether the email is due: %s', (_, now, monday, isDue) => {
  expect(findWeek(Date.parse(now))).toMatchObject({ monday, isDue });
});

test('covers the week from Monday to Monday in London, even when the clocks change', () => {
  const { period } = findWeek(Date.parse('2026-10-26T09:00:00Z'));
  expect(new Date(period.from).toISOString()).toBe('2026-10-18T23:00:00.000Z');
  expect(new Date(period.to).toISOString()).toBe('2026-10-26T00:00:00.000Z');
});
