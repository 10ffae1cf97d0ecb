import { resolve } from 'node:path';
import { describeError } from '#shared/describe-error.ts';
import type { Environment } from '#shared/environment.ts';
import { explainError } from '#shared/explain-codes.ts';
import { STORE_FILE } from './open-store.ts';

type Place = Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>;

/**
 * Explains to the owner why the store cannot be opened: the setting, the place, and the driver's own sentence. Shows no
 * password.
 * @param error what the driver or the file system threw
 * @returns the error itself if it is another's
 */
export function explainStoreFailure(error: unknown, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }: Place): unknown {
  const { errcode, errstr, severity, syscall } = error as StoreError;
  if (databaseUrl !== undefined) {
    if (severity === undefined && syscall === undefined) return error;
    const { host, pathname } = new URL(databaseUrl);
    return new Error(`DATABASE_URL: PostgreSQL at ${host}${pathname}: ${explainError(error)}`);
  }
  if (errcode !== undefined) return new Error(`DATA_DIR: ${resolve(dataDir, STORE_FILE)}: ${errstr}`);
  return syscall === undefined ? error : new Error(`DATA_DIR: ${explainError(error)}`);
}

/** The same once the store is open. Errors of other files and servers stay as they are. */
export function explainQueryFailure(error: unknown, place: Place): unknown {
  const { errcode, severity } = error as StoreError;
  return errcode === undefined && severity === undefined ? error : explainStoreFailure(error, place);
}

/** The same for the log: what failed, and the place in the source code. PostgreSQL's sentence may quote a row. */
export function describeStoreFailure(error: unknown): string {
  const { errstr } = error as StoreError;
  return errstr === undefined ? describeError(error) : `${describeError(error)}: ${errstr}`;
}

/** An error of SQLite (with its own words), of PostgreSQL, or of the system. */
type StoreError = { errcode?: number; errstr?: string; severity?: string; syscall?: string };
