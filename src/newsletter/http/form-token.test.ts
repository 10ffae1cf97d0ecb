import { expect, test } from 'vitest';
import { isFormToken, makeFormToken } from './form-token.ts';

const NOON = Date.UTC(2026, 0, 1, 12);
const DAY_MS = 24 * 3600_000;
const token = makeFormToken('secret', '192.0.2.1', NOON);

test.each([
  ['its own client', token, 'secret', '192.0.2.1', NOON + DAY_MS - 1, true],
  ['its own client a day later', token, 'secret', '192.0.2.1', NOON + DAY_MS, false],
  ['another client', token, 'secret', '192.0.2.2', NOON, false],
  ['another secret', token, 'other', '192.0.2.1', NOON, false],
  ['a later expiry', token.replace(/^\d+/, String(NOON + 2 * DAY_MS)), 'secret', '192.0.2.1', NOON, false],
  ['nothing', '', 'secret', '192.0.2.1', NOON, false],
])('accepts a token only from its own client and within a day: %s', (_, text, secret, client, now, isGood) => {
  expect(isFormToken(text, secret, client, now)).toBe(isGood);
});
