import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainCodes, explainError, isForOwner } from './explain-codes.ts';

test('replaces libraries’ error codes with explanations, and leaves other capitalised words unchanged', () => {
  expect(explainCodes('connection: ESOCKET; EHLO was refused')).toBe(
    'connection: the connection failed: check the host, the port, and smtp:// or smtps://; EHLO was refused',
  );
});

test('names the file or the host in a system error', () => {
  const failure = (work: () => unknown) => {
    try {
      return work();
    } catch (error) {
      return explainError(error);
    }
  };
  expect(failure(() => readFileSync('/nowhere/list.csv'))).toBe('/nowhere/list.csv: there is no such file or folder');
  expect(failure(() => readFileSync('/'))).toBe('this is a folder; a file was expected');
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), {
    code: 'ECONNREFUSED',
    address: '127.0.0.1',
    port: 9,
  });
  expect(explainError(refused)).toMatch(/^127\.0\.0\.1:9: the connection was refused/);
});

test('distinguishes our own messages and servers’ replies from bugs and database errors', () => {
  const withFields = (fields: object) => Object.assign(new Error('of the test'), fields);
  const forOwner = [
    new Error('Choose a file.'),
    withFields({ code: 'ENOSPC', syscall: 'write' }),
    withFields({ code: 'EENVELOPE', response: '550 5.7.1 no' }),
    withFields({ code: 'CERT_HAS_EXPIRED' }),
  ];
  const forLog = [
    new TypeError('Cannot read properties of undefined'),
    withFields({ code: 'ERR_INVALID_ARG_TYPE' }),
    withFields({ code: 'EMFILE', syscall: 'open' }),
    withFields({ code: 'ERR_SQLITE_ERROR', errcode: 1 }),
    withFields({ code: '23505', severity: 'ERROR' }),
    'a string',
  ];
  expect(forOwner.map(isForOwner)).toEqual(forOwner.map(() => true));
  expect(forLog.map(isForOwner)).toEqual(forLog.map(() => false));
});
