import { expect, test } from 'vitest';
import { explainQueryFailure, explainStoreFailure, isStoreUnreachable } from './explain-store-failure.ts';

const SERVER = { databaseUrl: 'postgres://site:hunter2@db.example:5432/site', dataDir: 'data' };

test.each([
  // SQLITE_FULL (13) inside an extended result code.
  [
    { errcode: 13 | (1 << 8) },
    '/srv/data/sign-ups.db cannot grow because the disk is full; free some space, then try again',
  ],
  [{ code: 'ENOENT', path: '/srv/data' }, '/srv/data cannot be created; check that its disk is mounted and writable'],
])("explains an error %j from SQLite or the file system with the file's path and advice", (error, message) => {
  const explained = explainStoreFailure(error, { databaseUrl: undefined, dataDir: '/srv/data' });
  expect(explained).toMatchObject({ message: `DATA_DIR: ${message}` });
});

test.each([
  ['28P01', 'rejected the password; correct it in DATABASE_URL'],
  ['25006', 'is read-only; use a server and a user with write access'],
])("explains PostgreSQL error %s with the server's address and advice, but not the password", (code, reason) => {
  const explained = explainStoreFailure({ code }, SERVER);
  expect(explained).toMatchObject({
    message: `DATABASE_URL: PostgreSQL at db.example:5432/site ${reason} (${code})`,
  });
});

test("explains only the store's own errors once it is open", () => {
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

test.each([
  [{ code: 'ECONNREFUSED', severity: 'FATAL' }, 'cannot be reached; start it, or correct the address (ECONNREFUSED)'],
  [{ code: '57P01', severity: 'FATAL' }, 'has been stopped; start it again (57P01)'],
  [new Error('Connection terminated unexpectedly'), 'cannot be reached; start it, or correct the address'],
])('reports PostgreSQL as away for the error %j from an open store', (error, reason) => {
  const explained = explainQueryFailure(error, { DATABASE_URL: SERVER.databaseUrl, DATA_DIR: 'data' });
  expect(explained).toMatchObject({ message: `DATABASE_URL: PostgreSQL at db.example:5432/site ${reason}` });
  expect(isStoreUnreachable(error)).toBe(true);
});

test('doesn’t report the database as away when it rejects a row, or when another server can’t be reached', () => {
  for (const error of [{ code: '23505', severity: 'ERROR' }, { code: 'ECONNREFUSED' }, { errcode: 19 }]) {
    expect(isStoreUnreachable(error)).toBe(false);
  }
});

test('returns an unknown error unchanged', () => {
  const error = new Error('unheard of');
  expect(explainStoreFailure(error, SERVER)).toBe(error);
});
