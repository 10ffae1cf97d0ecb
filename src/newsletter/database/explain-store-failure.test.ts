import { expect, test } from 'vitest';
import { explainQueryFailure, explainStoreFailure } from './explain-store-failure.ts';

const SERVER = { databaseUrl: 'postgres://site:hunter2@db.example:5432/site', dataDir: 'data' };

test.each([
  // In an extended code.
  [{ errcode: 13 | (1 << 8) }, '/srv/data/sign-ups.db cannot grow, the disk is full; make room, then try again'],
  [{ code: 'ENOENT', path: '/srv/data' }, '/srv/data cannot be created; check that its disk is mounted and writable'],
])('%j of SQLite or the file system is explained by the file and what to do', (error, message) => {
  const explained = explainStoreFailure(error, { databaseUrl: undefined, dataDir: '/srv/data' });
  expect(explained).toMatchObject({ message: `DATA_DIR: ${message}` });
});

test.each([
  ['28P01', 'refuses the password; correct it in DATABASE_URL'],
  ['25006', 'is read-only; name a server and a user that may write'],
])('%s of PostgreSQL is explained by where it is and what to do, without the password', (code, reason) => {
  const explained = explainStoreFailure({ code }, SERVER);
  expect(explained).toMatchObject({
    message: `DATABASE_URL: PostgreSQL at db.example:5432/site ${reason} (${code})`,
  });
});

test('while the store is open only its own failures are explained', () => {
  const file = { DATABASE_URL: undefined, DATA_DIR: '/srv/data' };
  const server = { ...file, DATABASE_URL: SERVER.databaseUrl };
  const readOnly = { code: '25006', severity: 'ERROR' };
  expect(explainQueryFailure({ errcode: 13 }, file)).toMatchObject({ message: expect.stringMatching(/^DATA_DIR: /) });
  expect(explainQueryFailure(readOnly, server)).toMatchObject({ message: expect.stringMatching(/^DATABASE_URL: /) });
  for (const [error, env] of [
    [{ code: 'ENOENT' }, file],
    [{ code: 'ECONNREFUSED' }, server],
  ] as const) {
    expect(explainQueryFailure(error, env)).toBe(error);
  }
});

test('an unknown error stays as it is', () => {
  const error = new Error('unheard of');
  expect(explainStoreFailure(error, SERVER)).toBe(error);
});
