import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readPeople } from '../../../test/newsletter/setup/read-people.ts';
import { readList } from './read-list.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-11-23T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('a file', () => {
  test.each([
    ['with the line that tells Excel the delimiter', ['sep=;', 'Email;Name', 'a@x.org;"A; B"']],
    ['with a comma in its heading', ['"Name, first";Email;"Job, title"', 'A;a@x.org;AE']],
    ['with tabs and an empty first cell', ['Name\tEmail\tNote', '\ta@x.org\t']],
    ['with the line endings of the classic Mac OS', ['Email,Name\ra@x.org,A']],
    ['with two kinds of line endings', ['Email,Name\r\na@x.org,A']],
    ['with cells padded with spaces', ['email     , attributes      ', 'a@x.org     , "{""a"": true, ""b"": 1}"   ']],
    ['with empty rows and extra cells', ['Email,Name,', ',,', '', 'a@x.org,A,,', ' , ,']],
    ['with a row that ends early', ['Email,Name,Company', 'a@x.org']],
    ['with an empty second column of addresses', ['Email,E-mail', ',a@x.org', ' ,']],
    ['with a name before each address', ['Email', 'Anna Smith <a@x.org>']],
  ])('is read %s', (_, lines) => {
    expect(readPeople(lines)).toEqual(['a@x.org 2026-06-01']);
  });

  test('reads many quoted lines, the first without an email address', () => {
    const people = Array.from({ length: 400 }, (_, index) => `"A","${index < 300 ? '' : `a${index}@x.org`}"`);
    expect(
      readPeople(['"Name","E-mail 1 - Value"', ...people]).filter((line) => line.endsWith('2026-06-01')),
    ).toHaveLength(100);
  });

  test.each(['Total: 1', 'Gesamt: 1 Kontakte', '1 contacts', '--- End of report ---', 'Email,Name,Company'])(
    'says that the line %j isn’t a person, and counts it as left out',
    (line) => {
      expect(readPeople(['Email,Name,Company', 'a@x.org,A,B', line])).toEqual([
        'a@x.org 2026-06-01',
        expect.stringContaining(' out: it isn’t a person'),
      ]);
    },
  );

  test.each(['anna.x.org,A,B', 'summer.x.org', 'Total,anna@x,B'])('doesn’t mistake the line %j for a total', (line) => {
    expect(readPeople(['Email,Name,Company', 'a@x.org,A,B', line])).toEqual(['a@x.org 2026-06-01', '3 unreadable']);
  });

  test('counts the lines before the header, and the empty rows', () => {
    const list = readList('sep=,\n\nEmail,Name\n,\na@x.org,A\n\n,\n', 'list.csv');
    expect(list).toMatchObject({ beforeHeading: 2, empty: 3, ignored: ['Name'] });
    expect(list.rows.map(({ line }) => line)).toEqual([5]);
  });

  test.each([
    ['is never closed', ['Email,Name', 'a@x.org,"A', 'b@x.org,B', 'c@x.org,C'], [2], ['b@x.org', 'c@x.org']],
    ['is inside a cell', ['Email,Name', 'a@x.org,"A" B', 'b@x.org,B'], [2], ['b@x.org']],
  ])('reports only the one line in which a quotation mark %s', (_, lines, broken, addresses) => {
    const list = readList(lines.join('\n'), 'list.csv');
    expect(list.broken.map(({ line }) => line)).toEqual(broken);
    expect(list.rows.map(({ cells }) => cells[0])).toEqual(addresses);
  });

  test('reports people whose lines are swallowed by an unclosed cell', () => {
    expect(readPeople(['Email,Name', 'a@x.org,"A', 'b@x.org,B', 'c@x.org,C"'])).toEqual(['2 unreadable']);
  });

  test('reports a row with shifted cells, and a cell with two email addresses', () => {
    expect(readPeople(['Email,Name', 'a@x.org,A, B', 'a@x.org ::: b@x.org,A'])).toEqual([
      '2 unreadable',
      '3 unreadable',
    ]);
  });

  test.each([
    ['without a heading', 'anna@mail.example,Anna\nben@mail.example,Ben', 'one of them "email"'],
    ['with two columns of addresses', 'Email,E-Mail\na@x.org,b@x.org', 'but found "Email" and "E-Mail"'],
    ['without addresses', 'Name,Phone\nA,1', 'one of them "email"'],
  ])('is rejected %s, with the reason', (_, text, message) => {
    expect(() => readList(text, 'list.csv')).toThrow(message);
  });
});
