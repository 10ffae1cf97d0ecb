import { expect, test, vi } from 'vitest';
import { formatClock, formatMoment, formatShortMoment, removeSeparators, showTimesIn } from './format.ts';

test.each(['1204', ' 1,204 ', '1.204', '1 204', '1\u00A0204', '1’204'])(
  'reads %j as a number, as people type it',
  (typed) => {
    expect(removeSeparators(typed)).toBe('1204');
  },
);

test('shows the year of a moment if it isn’t this year, in the owner’s time zone', () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-06-30T23:30:00Z'));
  const moments = ['2026-12-31T23:59:00Z', '2027-01-01T09:00:00Z', '2025-11-12T09:41:00Z'];
  expect(moments.map(formatMoment)).toEqual([
    'Thursday 31 December, 23:59 London',
    'Friday 1 January 2027, 09:00 London',
    'Wednesday 12 November 2025, 09:41 London',
  ]);
  expect(moments.map(formatShortMoment)).toEqual([
    'Thu 31 Dec, 23:59 London',
    'Fri 1 Jan 2027, 09:00 London',
    'Wed 12 Nov 2025, 09:41 London',
  ]);
});

test.each([
  ['America/New_York', '2026-07-01T08:00:00Z', '09:00 London (04:00 New York)'],
  // The clocks change on different days there.
  ['America/New_York', '2026-03-20T12:00:00Z', '12:00 London (08:00 New York)'],
  ['Pacific/Auckland', '2026-11-23T21:00:00Z', '21:00 London (Tue 10:00 Auckland)'],
  ['Europe/Lisbon', '2026-07-01T08:00:00Z', '09:00 London'],
  ['Mars/Base', '2026-07-01T08:00:00Z', '09:00 London'],
  [undefined, '2026-07-01T08:00:00Z', '09:00 London'],
])('shows a reader in %s the time %s as %s', (zone, time, shown) => {
  expect(showTimesIn(zone, () => formatClock(time))).toBe(shown);
});
