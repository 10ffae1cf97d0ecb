import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readList } from './read-list.ts';
import { type ImportOptions, readPerson } from './read-person.ts';

const LINE = {
  email: 'anna@example.org',
  'consent given': '2026-03-01',
  'consent wording': 'Yes, write to me.',
  'first source': 'Trade fair',
};

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-23T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

function read(cells: Record<string, string>, options: ImportOptions = {}) {
  const line = { ...LINE, ...cells };
  const quote = (texts: string[]) => texts.map((text) => `"${text}"`).join();
  const list = readList(`${quote(Object.keys(line))}\n${quote(Object.values(line))}`, 'list.csv');
  return readPerson(list.rows[0]!, list, options, 'day-first');
}

test.each([
  ['consent given', '2026-02-30'],
  ['consent given', '2026-11-24'],
  ['signed up', '2026-02-30'],
  ['confirmed', '2026-11-24'],
])('rejects the %s date %s, which isn’t in the past', (column, date) => {
  const expected = `${column}: expected a date in the past, such as 2026-03-01, but found "${date}"`;
  expect(read({ [column]: date })).toEqual({ kind: 'unreadable', expected });
});

test('reports a mistyped domain, and imports the person', () => {
  expect(read({ email: 'anna@gmial.com' })).toMatchObject({
    person: { email: 'anna@gmial.com' },
    notes: ['anna@gmial.com may be mistyped; did they mean anna@gmail.com?'],
  });
});

test.each([
  ['', null],
  ['ticked box', 'ticked box'],
  ['vouched for by the sender', 'vouched for by the sender'],
  ['a nod', null],
])('keeps the evidence "%s" as %j', (evidence, kept) => {
  expect(read({ 'consent evidence': evidence })).toMatchObject({ person: { evidence: kept } });
});

test('accepts a wording of several lines that applies to everybody', () => {
  const several = read({ 'consent wording': '' }, { wording: 'Yes,\r\nwrite to me.' });
  expect(several).toMatchObject({ person: { wording: 'Yes, write to me.' } });
});

test.each([
  ['consent wording', { wording: ' \n ' }, 'wording'],
  ['first source', { source: '' }, 'source'],
  ['consent given', {}, 'date'],
])('doesn’t accept a %s of only spaces as evidence', (column, options, missing) => {
  expect(read({ [column]: '  ' }, options)).toEqual({ kind: 'without evidence', missing: [missing] });
});

test('treats a cell of spaces as empty', () => {
  expect(read({ 'first source': '  ' }, { source: 'Fair' })).toMatchObject({ person: { source: 'Fair' } });
});

test('recognises a role in upper or lower case, and leaves an unknown one empty, with a note', () => {
  expect(read({ role: 'founder' })).toMatchObject({ person: { role: 'Founder' }, notes: [] });
  const notes = ['the role "Recruiter" isn’t one of the options, and was left empty'];
  expect(read({ role: 'Recruiter' })).toMatchObject({ person: { role: '' }, notes });
});

test('leaves out consent given more than two years ago, with the reason', () => {
  const why = 'they agreed on 22 Nov 2024, and the privacy policy allows two years at most';
  expect(read({ 'consent given': '2024-11-22' })).toEqual({ kind: 'out', email: 'anna@example.org', why });
});

test('leaves out an invalid email address that the file marks as bounced, instead of reporting it as unreadable', () => {
  const bounced = read({ email: 'anna@@example.org', status: 'bounced' });
  expect(bounced).toMatchObject({ kind: 'out', why: 'status is "bounced"' });
});

test.each<[Record<string, string>, boolean]>([
  [{ subscribed: 'false' }, true],
  [{ opted_out: 'yes' }, true],
  [{ unsubscribed_at: '2026-05-01' }, true],
  [{ status: 'complained' }, true],
  [{ Status: 'abgemeldet' }, true],
  [{ Tags: 'do not contact' }, true],
  [{ Tags: 'VIP, Do Not Email' }, true],
  [{ status: 'pending' }, false],
  [{ bounced: 'yes' }, false],
  [{ confirmed: 'no' }, false],
  [{ 'marketing consent': 'no' }, false],
])('distinguishes people who want no email from others who are left out: %o is %s', (cells, hasOptedOut) => {
  expect(read(cells)).toMatchObject({ kind: 'out', hasOptedOut });
});

test.each([
  ['unsubscribed_members_export_1a2b3c.csv', true],
  ['unsubscribed-2026-11-23.csv', true],
  ['cleaned_members_export_1a2b3c.csv', false],
  ['nonsubscribed_members_export_1a2b3c.csv', false],
  ['pending-2026-11-23.csv', false],
])('recognises by the name %s whether everybody in the file has unsubscribed: %s', (name, hasOptedOut) => {
  const list = readList('email,joined\nanna@example.org,2026-03-01', `/home/owner/${name}`);
  expect(readPerson(list.rows[0]!, list, {}, 'day-first')).toMatchObject({ kind: 'out', hasOptedOut });
});
