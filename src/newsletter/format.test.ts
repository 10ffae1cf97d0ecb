import { expect, test, vi } from 'vitest';
import { formatMoment, formatShortMoment, removeSeparators } from './format.ts';

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
    'Thursday 31 December, 23:59',
    'Friday 1 January 2027, 09:00',
    'Wednesday 12 November 2025, 09:41',
  ]);
  expect(moments.map(formatShortMoment)).toEqual([
    'Thu 31 Dec, 23:59',
    'Fri 1 Jan 2027, 09:00',
    'Wed 12 Nov 2025, 09:41',
  ]);
});
