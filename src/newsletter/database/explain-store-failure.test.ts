import { expect, test } from 'vitest';
import { explainQueryFailure, explainStoreFailure } from './explain-store-failure.ts';

const FILE = { DATABASE_URL: undefined, DATA_DIR: '/srv/data' };
const SERVER = { ...FILE, DATABASE_URL: 'postgres://site:hunter2@db.example:5432/site' };
const FULL = { errcode: 13, errstr: 'database or disk is full' };
const REFUSED = Object.assign(new Error('password authentication failed'), { code: '28P01', severity: 'FATAL' });
const MISSING = Object.assign(new Error('ENOENT: …'), { code: 'ENOENT', path: '/srv/data', syscall: 'mkdir' });

test.each([
  [FULL, FILE, 'DATA_DIR: /srv/data/sign-ups.db: database or disk is full'],
  [MISSING, FILE, 'DATA_DIR: /srv/data: there is no such file or folder'],
  [REFUSED, SERVER, 'DATABASE_URL: PostgreSQL at db.example:5432/site: password authentication failed'],
])('%j is explained by the setting and the place, without the password', (error, place, message) => {
  expect(explainStoreFailure(error, place)).toMatchObject({ message });
});

test('while the store is open only its own failures are explained', () => {
  expect(explainQueryFailure(FULL, FILE)).toMatchObject({ message: expect.stringMatching(/^DATA_DIR: /) });
  expect(explainQueryFailure(REFUSED, SERVER)).toMatchObject({ message: expect.stringMatching(/^DATABASE_URL: /) });
  expect(explainQueryFailure(MISSING, FILE)).toBe(MISSING);
});

test('an unknown error stays as it is', () => {
  const error = new Error('unheard of');
  expect(explainStoreFailure(error, SERVER)).toBe(error);
});
