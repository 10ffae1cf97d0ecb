import { expect, test } from 'vitest';
import { explainStoreFailure } from './explain-store-failure.ts';

const SERVER = { databaseUrl: 'postgres://site:hunter2@db.example:5432/site', dataDir: 'data' };

test.each([
  ['SQLite, in an extended code', { errcode: 13 | (1 << 8) }],
  ['the file system', { code: 'ENOSPC' }],
])('a full disk is named, with what to do, when %s says so', (_, error) => {
  const explained = explainStoreFailure(error, { databaseUrl: undefined, dataDir: '/srv/data' });
  expect(explained).toMatchObject({
    message: 'DATA_DIR: /srv/data/sign-ups.db cannot grow, the disk is full; make room, then start again',
  });
});

test('a folder on a disk that takes no changes, where making it says ENOENT, is named', () => {
  const explained = explainStoreFailure({ code: 'ENOENT' }, { databaseUrl: undefined, dataDir: '/srv/data' });
  const message = 'DATA_DIR: /srv/data/sign-ups.db cannot be made; check that its disk is there and takes changes';
  expect(explained).toMatchObject({ message });
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
