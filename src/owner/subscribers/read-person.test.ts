import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OPTIONAL_FIELDS } from '#shared/sign-up-fields.ts';
import { readPerson } from './read-person.ts';

const LINE = {
  address: 'anna@example.org',
  'consent given': '2026-03-01',
  'consent wording': 'Yes, write to me.',
  'first source': 'Trade fair',
};

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-23T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const read = (cells: Record<string, string>) => readPerson({ ...LINE, ...cells }, {});

test.each([
  ['a day', '2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['a day of a leap year', '2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['a time, as an export writes it', '2026-03-01T10:20:30.456Z', '2026-03-01T10:20:30.456Z'],
  ['a time with its distance from UTC', '2026-03-01T10:20:30+02:00', '2026-03-01T08:20:30.000Z'],
])('%s is a date', (_, date, signedUpAt) => {
  expect(read({ 'signed up': date })).toMatchObject({ signedUpAt });
});

test.each([
  ['consent given', '2026-02-30'],
  ['consent given', '2026-02-30T10:00:00Z'],
  ['consent given', '2025-02-29'],
  ['consent given', '30/02/2026'],
  ['consent given', '01/03/2026'],
  ['consent given', '2026-3-1'],
  ['consent given', '2026-03-01 or so'],
  ['consent given', '2026-11-24'],
  ['signed up', '2026-02-30'],
  ['confirmed', '2026-04-31'],
  ['withdrawn', '2026-13-01'],
])('%s: %s is refused as no date of the past', (column, date) => {
  expect(read({ [column]: date })).toEqual({ expected: `${column}: expected a date that is past, such as 2026-03-01` });
});

test.each([
  ['consent wording', 'Yes\u0000'],
  ['first source', 'Fair\u001b[2J'],
  ['form', '\u0000'],
  ['undeliverable because', '550\u0007'],
])('a control character in %s is refused by name', (column, value) => {
  expect(read({ state: 'undeliverable', [column]: value })).toEqual({
    expected: `${column}: expected one line without control characters`,
  });
});

test.each([
  ['', null],
  ['ticked box', 'ticked box'],
  ['vouched for by the sender', 'vouched for by the sender'],
])('the evidence "%s" is kept', (evidence, kept) => {
  expect(read({ 'consent evidence': evidence })).toMatchObject({ evidence: kept });
});

test('a sentence for all lines may be typed in several', () => {
  const line = { ...LINE, 'consent wording': '' };
  expect(readPerson(line, { wording: 'Yes,\r\nwrite to me.' })).toMatchObject({ wording: 'Yes, write to me.' });
});

test.each([
  ['consent wording', { wording: ' \n ' }, 'the sentence that the person agreed to'],
  ['first source', { source: '' }, 'where the person signed up'],
])('%s of nothing but spaces is no evidence', (column, options, expected) => {
  expect(readPerson({ ...LINE, [column]: '  ' }, options)).toEqual({ expected: `${column}: expected ${expected}` });
});

test('a cell of spaces is filled in with the evidence for all lines', () => {
  expect(readPerson({ ...LINE, 'first source': '  ' }, { source: 'Fair' })).toMatchObject({ source: 'Fair' });
});

test('other evidence is refused', () => {
  expect(read({ 'consent evidence': 'a nod' })).toEqual({
    expected: 'consent evidence: expected one of ticked box, vouched for by the sender, or nothing',
  });
});

test('a role that is not offered is refused with those that are', () => {
  expect(read({ role: 'Recruiter' })).toEqual({
    expected: `role: expected one of ${OPTIONAL_FIELDS.role.options.join(', ')}, or nothing`,
  });
});
