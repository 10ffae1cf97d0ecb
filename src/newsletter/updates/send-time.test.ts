import { expect, test } from 'vitest';
import { parseSendTime, showSendTime } from './send-time.ts';

test.each([
  ['2026-12-01T09:00', '2026-12-01T09:00:00.000Z'],
  ['2026-07-01T09:00', '2026-07-01T08:00:00.000Z'],
])('parses %s as %s', (text, expected) => {
  expect(new Date(parseSendTime(text)).toISOString()).toBe(expected);
});

test.each([
  ['tomorrow', 'Expected a time in London, such as 2026-12-01T09:00, but found "tomorrow"'],
  ['2026-12-01', 'Expected a time'],
  ['2026-13-01T09:00', 'Expected a time'],
  ['2026-03-29T01:30', 'show 2026-03-29T01:30 twice or never'],
  ['2026-10-25T01:30', 'show 2026-10-25T01:30 twice or never'],
])('rejects %s', (text, message) => {
  expect(() => parseSendTime(text)).toThrow(message);
});

test('shows times in London time', () => {
  expect(showSendTime(Date.parse('2026-07-01T08:00:00Z'))).toBe('2026-07-01 09:00, Europe/London');
});
