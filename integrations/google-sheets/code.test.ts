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

/** @returns the script's response to the site's server, which knows the secret */
function send(sheet: ScriptedSheet, message: object, secret: string | undefined = SECRET) {
  const contents = JSON.stringify(message);
  return JSON.parse(sheet.call({ postData: { contents, type: 'application/json' }, parameter: { secret } }));
}

function shown(row: Cell[] | undefined): (string | undefined)[] | undefined {
  return row?.map((cell) => ('shown' in cell ? cell.shown : undefined));
}

test('adds a sign-up as one row under the headings, even if it is sent again', () => {
  const sheet = openScriptedSheet();
  for (let times = 0; times < 2; times += 1) expect(send(sheet, signUp)).toEqual({ ok: true });
  expect(sheet.rows.map(shown)).toEqual([
    ['Id', 'Time', 'Email', 'Name', 'Role', 'Source'],
    ['a1', '2026-03-01T10:00:00.000Z', 'anna@example.org', '', 'Other', 'Footer'],
  ]);
});

test.each(['=IMPORTXML("https://evil.example")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', "'=1", ' =1', '＝1'])(
  'shows a cell that begins with %j as it was sent, and never runs it',
  (source) => {
    const sheet = openScriptedSheet();
    send(sheet, { ...signUp, email: `=${signUp.email}`, source });
    expect(shown(sheet.rows[1])).toEqual(['a1', signUp.time, '=anna@example.org', '', 'Other', source]);
  },
);

test('removes only the rows that an erasure names', () => {
  const sheet = openScriptedSheet();
  for (const id of ['a1', 'b2', 'c3', 'd4']) send(sheet, { ...signUp, id });
  expect(send(sheet, { id: 'e5', time: signUp.time, erase: ['b2', 'c3', 'gone'] })).toEqual({
    ok: true,
  });
  expect(sheet.rows.slice(1).map((row) => shown(row)?.[0])).toEqual(['a1', 'd4']);
});

test('erases and marks the rows that the owner has moved to another tab, and leaves other tabs alone', () => {
  const line = (...texts: string[]): Cell[] => texts.map((text) => ({ shown: text }));
  const archive = [line('Email', 'Id'), line('anna@example.org', 'b2'), line('ben@example.org', 'c3')];
  const notes = [line('Id', 'What'), line('b2', 'c3')];
  const sheet = openScriptedSheet({ others: [archive, notes, []] });
  send(sheet, signUp);
  expect(send(sheet, { id: 'e5', time: signUp.time, erase: ['b2'] })).toEqual({ ok: true });
  expect(send(sheet, { id: 'e6', time: '2026-04-01', unsubscribe: ['c3'] })).toEqual({ ok: true });
  expect(archive.map(shown)).toEqual([
    ['Email', 'Id', 'Unsubscribed'],
    ['ben@example.org', 'c3', '2026-04-01'],
  ]);
  expect(notes.map(shown)).toEqual([
    ['Id', 'What'],
    ['b2', 'c3'],
  ]);
  expect(sheet.rows).toHaveLength(2);
});

test('notes an unsubscription in its own column, even next to columns that the owner added', () => {
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

test('marks a row that arrives after the person unsubscribed, even if it is sent again', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  for (const id of ['a1', 'b2']) send(sheet, { ...signUp, id, unsubscribed: '2026-04-01' });
  expect(sheet.rows.slice(1).map((row) => shown(row)?.slice(5))).toEqual([
    ['Footer', '2026-04-01'],
    ['Footer', '2026-04-01'],
  ]);
});

test('adds a column for a new field on the right, and fills rows by their headings', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  send(sheet, { ...signUp, id: 'b2', company: 'Acme' });
  expect(sheet.rows.map((row) => shown(row)?.slice(5))).toEqual([
    ['Source', 'Company'],
    ['Footer'],
    ['Footer', 'Acme'],
  ]);
});

test('reports that it is busy while another run changes the sheet, and writes nothing', () => {
  const sheet = openScriptedSheet();
  sheet.isLocked = true;
  expect(send(sheet, signUp)).toEqual({ ok: false, error: 'busy' });
  expect(sheet.rows).toEqual([]);
});

test('changes the sheet only while it holds the lock', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  send(sheet, { id: 'e5', time: signUp.time, erase: ['a1'] });
  expect(sheet.unlockedCalls).toEqual([]);
});

test.each(['', 'not JSON', '{}', '{"email":"nobody"}', '{"email":["anna@example.org"]}', 'null'])(
  'never answers ok to the body %j',
  (body) => {
    const sheet = openScriptedSheet();
    expect(JSON.parse(sheet.post(body))).toMatchObject({ ok: false });
    expect(sheet.rows.length).toBeLessThan(2);
  },
);

test('adds headings and rows to an existing empty tab', () => {
  const sheet = openScriptedSheet({ hasEmptyTab: true });
  expect(send(sheet, signUp)).toEqual({ ok: true });
  expect(sheet.rows.map((row) => shown(row)?.[0])).toEqual(['Id', 'a1']);
});

test('finds columns by their headings, in any order and letter case, below the owner’s own lines', () => {
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
  'changes no row for a request without the secret: %j',
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

test('erases rows by the Id column only, and never the headings', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  expect(send(sheet, { id: 'e5', time: signUp.time, erase: ['Footer', '', 'Other', 'Id'] })).toEqual({ ok: true });
  expect(sheet.rows).toHaveLength(2);
});

test('adds rows right below the last sign-up, even if tick boxes continue below it', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  sheet.rows[0]!.push({ shown: 'Called' });
  for (let row = 1; row < 30; row += 1)
    (sheet.rows[row] ??= Array.from({ length: 6 }, () => ({ shown: '' })))[6] = { tick: false };
  send(sheet, { ...signUp, id: 'b2' });
  expect(shown(sheet.rows[2])?.[0]).toBe('b2');
  expect(sheet.rows).toHaveLength(30);
});

test.each(['05-12', '0044', '1e5', '1/2', 'TRUE', '10%', '£5', '12:30'])(
  'keeps %s as the text that was sent',
  (role) => {
    const sheet = openScriptedSheet();
    send(sheet, { ...signUp, role });
    expect(shown(sheet.rows[1])?.[4]).toBe(role);
  },
);

test('adds columns to a sheet without empty rows or columns, and removes its last row', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  sheet.size = { rows: 2, columns: 6 };
  expect(send(sheet, { id: 'e5', time: signUp.time, unsubscribe: ['a1'] })).toEqual({ ok: true });
  expect(send(sheet, { id: 'e6', time: signUp.time, erase: ['a1'] })).toEqual({ ok: true });
  expect(sheet.rows).toHaveLength(1);
});

test('still accepts sign-ups when the sheet has the maximum number of columns, but drops fields without a column', () => {
  const sheet = openScriptedSheet();
  send(sheet, signUp);
  sheet.size.columns = 100;
  while (sheet.rows[0]!.length < 100) sheet.rows[0]!.push({ shown: 'Mine' });
  expect(send(sheet, { ...signUp, id: 'b2', company: 'Acme' })).toEqual({ ok: true });
  expect([sheet.rows[0]?.length, shown(sheet.rows[2])?.[2]]).toEqual([100, 'anna@example.org']);
});

test('adds a row for a form posted without JavaScript, and says thanks', () => {
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
])('responds to a form %s with a page, and adds no row', (_, fields, sentence) => {
  const sheet = openScriptedSheet();
  expect(sheet.postForm({ source: 'Footer', ...fields })).toContain(sentence);
  expect(sheet.rows.length).toBeLessThan(2);
});

test('asks to try again, instead of saying thanks, if the sheet is busy', () => {
  const sheet = openScriptedSheet();
  sheet.isLocked = true;
  expect(sheet.postForm({ email: 'anna@example.org', consent: '9f' })).toContain('Please go back and try again.');
});

test.each([undefined, {}, { postData: null, parameter: {} }])('rejects the event %j', (event) => {
  expect(JSON.parse(openScriptedSheet().call(event))).toMatchObject({ ok: false });
});

test("adds an id and a time to the specification's payload when a browser posts it", () => {
  const sheet = openScriptedSheet();
  send(sheet, { email: 'anna@example.org', name: '', role: '', source: 'Founder' });
  const [id, time] = shown(sheet.rows[1]) ?? [];
  expect(id).toMatch(/^[\w-]{36}$/);
  expect(Date.parse(time ?? '')).toBeGreaterThan(0);
});
