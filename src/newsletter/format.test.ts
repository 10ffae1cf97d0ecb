import { expect, test, vi } from 'vitest';
import { describeDay, formatClock, formatMoment, formatShortMoment, removeSeparators, showTimesIn } from './format.ts';

test.each(['1204', ' 1,204 ', '1.204', '1 204', '1\u00A0204', '1’204'])('removes the separators from %j', (typed) => {
  expect(removeSeparators(typed)).toBe('1204');
});

test('shows the year unless it is the current year in the owner’s time zone', () => {
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

test.each([
  ['today', '2026-11-30T09:00:00Z', '2026-11-30T12:00:00Z', undefined],
  ['tomorrow', '2026-11-30T23:30:00Z', '2026-12-01T09:00:00Z', undefined],
  ['on Tuesday 1 December', '2026-11-29T23:30:00Z', '2026-12-01T09:00:00Z', undefined],
  // The clocks go forward that night, so the next day is less than 24 hours long.
  ['tomorrow', '2027-03-27T23:30:00Z', '2027-03-28T08:00:00Z', undefined],
  ['on Monday 29 March', '2027-03-27T23:30:00Z', '2027-03-29T08:00:00Z', undefined],
  // Tomorrow in London, but today in Sydney.
  ['on Tuesday 1 December', '2026-11-30T23:30:00Z', '2026-12-01T09:00:00Z', 'Australia/Sydney'],
  ['tomorrow', '2026-11-30T23:30:00Z', '2026-12-01T09:00:00Z', 'America/New_York'],
])('says %s on %s for %s to a reader in %s', (said, now, time, zone) => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse(now));
  expect(showTimesIn(zone, () => describeDay(Date.parse(time)))).toBe(said);
});
