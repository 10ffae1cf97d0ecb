import { expect, test } from 'vitest';
import { parseSendTime, showSendTime } from './send-time.ts';

test.each([
  ['2026-12-01T09:00', undefined, '2026-12-01T09:00:00.000Z'],
  ['2026-07-01T09:00', undefined, '2026-07-01T08:00:00.000Z'],
  ['2026-07-01T09:00', 'America/New_York', '2026-07-01T13:00:00.000Z'],
  ['2026-07-01T09:00+02:00', undefined, '2026-07-01T07:00:00.000Z'],
  ['2026-12-01T09:00-05:00', undefined, '2026-12-01T14:00:00.000Z'],
  ['2026-12-01 09:00:30.5z', undefined, '2026-12-01T09:00:30.500Z'],
  ['2026-12-01T09:00-05:00[America/New_York]', undefined, '2026-12-01T14:00:00.000Z'],
  ['2026-12-01T09:00[America/New_York]', undefined, '2026-12-01T14:00:00.000Z'],
])('%s in %s is %s', (text, zone, expected) => {
  expect(new Date(parseSendTime(text, zone)).toISOString()).toBe(expected);
});

test.each([
  [
    'tomorrow',
    undefined,
    'Expected a time such as 2026-12-01T09:00, 2026-12-01T09:00-05:00 or 2026-12-01T09:00-05:00[America/New_York], but found "tomorrow"',
  ],
  ['2026-12-01T09:00-05', undefined, 'Expected a time'],
  ['2026-12-01T09:00-0500', undefined, 'Expected a time'],
  ['2026-12-01', undefined, 'Expected a time'],
  ['2026-12-01T09:00+01:00[America/New_York]', undefined, 'Expected a time'],
  ['2026-12-01T09:00[America/New York]', undefined, 'Expected a time'],
  ['2026-13-01T09:00', undefined, 'Expected a time'],
  ['2026-03-29T01:30', undefined, 'show 2026-03-29T01:30 twice or never'],
  ['2026-10-25T01:30', undefined, 'show 2026-10-25T01:30 twice or never'],
])('%s in %s is refused', (text, zone, message) => {
  expect(() => parseSendTime(text, zone)).toThrow(message);
});

test('a time is shown as the clock in London shows it', () => {
  expect(showSendTime(Date.parse('2026-07-01T08:00:00Z'))).toBe('2026-07-01 09:00, Europe/London');
});
