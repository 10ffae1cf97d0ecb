import { expect, test } from 'vitest';
import { addSignUp, dropOldVisitors, openDay, type OpenDay, hashVisitor, showPage } from './open-day.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const MINUTE = 60_000;

/** Somebody who was shown a page just then. */
function visit(day: OpenDay, id: string, now: number): void {
  showPage(day, { id, now }, '/', { referrer: '', campaign: '' });
}

test('the hash of a visitor is another each day, and another after a restart', () => {
  const [today, restarted, tomorrow] = [NOON, NOON, NOON + 24 * 60 * MINUTE].map((now) => openDay(now, new Set()));
  const hashes = [today!, restarted!, tomorrow!].map((day) => hashVisitor(day, '192.0.2.1', 'Safari'));
  expect(new Set(hashes).size).toBe(3);
  expect(hashVisitor(today!, '192.0.2.1', 'Safari')).toBe(hashes[0]);
});

test('a visitor is known for an hour after the last page, then forgotten', () => {
  const day = openDay(NOON, new Set());
  visit(day, 'anna', NOON);
  visit(day, 'ben', NOON + 30 * MINUTE);
  expect(addSignUp(day, { id: 'anna', now: NOON + 60 * MINUTE })).toBeUndefined();
  expect(addSignUp(day, { id: 'anna', now: NOON + 59 * MINUTE })).toBeDefined();
  dropOldVisitors(day, NOON + 60 * MINUTE);
  expect([...day.visitors.keys()]).toEqual(['ben']);
});

test('a flood of visitors does not fill memory', () => {
  const day = openDay(NOON, new Set());
  for (let number = 0; number < 30_000; number += 1) visit(day, `visitor ${number}`, NOON);
  expect(day.visitors.size).toBeLessThanOrEqual(20_000);
  expect(day.visitors.has('visitor 29999')).toBe(true);
});
