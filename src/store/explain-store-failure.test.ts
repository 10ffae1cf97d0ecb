import { expect, test } from 'vitest';
import { explainStoreFailure } from './explain-store-failure.ts';

const SERVER = { databaseUrl: 'postgres://site:hunter2@db.example:5432/site', dataDir: 'data' };

test.each([
  // In an extended code.
  [{ errcode: 13 | (1 << 8) }, '/srv/data/sign-ups.db cannot grow, the disk is full; make room, then start again'],
  [{ code: 'ENOENT', path: '/srv/data' }, '/srv/data cannot be made; check that its disk is there and takes changes'],
])('%j of SQLite or the file system is explained by the file and what to do', (error, message) => {
  const explained = explainStoreFailure(error, { databaseUrl: undefined, dataDir: '/srv/data' });
  expect(explained).toMatchObject({ message: `DATA_DIR: ${message}` });
});

test('a wrong password for PostgreSQL is named, with what to do, and not shown', () => {
  const explained = explainStoreFailure({ code: '28P01' }, SERVER);
  expect(explained).toMatchObject({
    message:
      'DATABASE_URL: PostgreSQL at db.example:5432/site refuses the password; correct it in DATABASE_URL (28P01)',
  });
});

test('an unknown error stays as it is', () => {
  const error = new Error('unheard of');
  expect(explainStoreFailure(error, SERVER)).toBe(error);
});
