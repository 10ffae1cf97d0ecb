import { expect, test } from 'vitest';
import { drawBars } from './list-history.ts';
import { findWeek } from './weekly-summary.ts';

test.each([
  ['Sunday evening', '2026-11-22T23:59:00Z', '2026-11-16', false],
  ['Monday before eight', '2026-11-23T07:59:00Z', '2026-11-23', false],
  ['Monday at eight', '2026-11-23T08:00:00Z', '2026-11-23', true],
  ['a summer Monday at eight in London, which is seven in UTC', '2026-07-06T07:00:00Z', '2026-07-06', true],
  ['Monday night', '2026-11-23T23:59:00Z', '2026-11-23', true],
  ['Tuesday', '2026-11-24T09:00:00Z', '2026-11-23', false],
])('%s: a summary is due or not', (_, now, monday, isDue) => {
  expect(findWeek(Date.parse(now))).toMatchObject({ monday, isDue });
});

test("the week of a summary goes from London's Monday to London's Monday, also when the clocks change", () => {
  const { period } = findWeek(Date.parse('2026-10-26T09:00:00Z'));
  expect(new Date(period.from).toISOString()).toBe('2026-10-18T23:00:00.000Z');
  expect(new Date(period.to).toISOString()).toBe('2026-10-26T00:00:00.000Z');
});

test('bars of text grow with the list, end today, fit a phone, and an empty list has none', () => {
  const history = Array.from({ length: 53 }, (_, week) => ({ day: `week ${week}`, people: week }));
  const lines = drawBars(history).split('\n');
  expect(lines).toHaveLength(14);
  expect(lines[0]).toBe('week 0   0');
  expect(lines.at(-1)).toBe(`week 52  ${'█'.repeat(10)} 52`);
  expect(drawBars([{ day: 'today', people: 0 }])).toBe('today   0');
});
