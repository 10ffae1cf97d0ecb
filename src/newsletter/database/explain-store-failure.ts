import { join, resolve } from 'node:path';
import { describeError } from '#shared/describe-error.ts';
import type { Environment } from '#settings/environment.ts';
import { STORE_FILE } from './open-store.ts';

/**
 * Explains to the owner why the store can't be opened, where it is, and what to do. Never includes a password.
 * @param error what the driver threw
 * @returns the error itself if nothing more is known about it
 */
export function explainStoreFailure(
  error: unknown,
  { databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string },
): unknown {
  const { code = '', errcode, severity, path = join(dataDir, STORE_FILE) } = error as StoreError;
  if (databaseUrl === undefined) {
    const reason = SQLITE_REASONS[(errcode ?? -1) & 0xff] ?? FILE_REASONS[code];
    return reason === undefined ? error : new Error(`DATA_DIR: ${resolve(path)} ${reason}`);
  }
  const { host, pathname } = new URL(databaseUrl);
  const isConnection = severity === 'FATAL' || NO_CONNECTION.test(code) || isLost(error);
  const reason = POSTGRES_REASONS[code] ?? (isConnection ? UNREACHABLE : undefined);
  const detail = code === '' ? '' : ` (${code})`;
  return reason === undefined ? error : new Error(`DATABASE_URL: PostgreSQL at ${host}${pathname} ${reason}${detail}`);
}

/** Whether the open store can't be used at the moment, so that a retry may succeed. */
export function isStoreUnreachable(error: unknown): boolean {
  const { errcode = 0, severity } = error as StoreError;
  return severity === 'FATAL' || isLost(error) || (errcode & 0xff) === SQLITE_BUSY;
}

const SQLITE_BUSY = 5;

/** Whether PostgreSQL's driver lost its connection during a query, which it reports only in this message. */
function isLost(error: unknown): boolean {
  return /^Connection terminated|^Client has encountered a connection error/.test((error as Error).message);
}

/** Like `explainStoreFailure`, but for an open store. Errors from other files and servers are returned unchanged. */
export function explainQueryFailure(
  error: unknown,
  { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>,
): unknown {
  const { errcode, severity } = error as StoreError;
  const isFromStore = errcode !== undefined || severity !== undefined || isLost(error);
  return isFromStore ? explainStoreFailure(error, { databaseUrl, dataDir }) : error;
}

/** Describes the failure for the log: what failed, the place in the source code, and what to do if that is known. */
export function describeStoreFailure(error: unknown, place: Pick<Environment, 'DATABASE_URL' | 'DATA_DIR'>): string {
  const explained = explainQueryFailure(error, place);
  return explained === error ? describeError(error) : `${describeError(error)}: ${(explained as Error).message}`;
}

/** An error from SQLite, PostgreSQL or the file system. */
type StoreError = { code?: string; errcode?: number; severity?: string; path?: string };

const NOT_WRITABLE =
  'cannot be opened for writing; make the user that runs the server the owner of DATA_DIR and its files';

/** By SQLite's primary result codes (sqlite.org/rescode.html). */
const SQLITE_REASONS: Record<number, string> = {
  5: 'is locked by another program; stop it, then try again',
  8: NOT_WRITABLE,
  10: 'cannot be read or written; check the disk',
  11: 'is damaged; restore the last backup',
  13: 'cannot grow because the disk is full; free some space, then try again',
  14: NOT_WRITABLE,
  26: 'is not a database; restore the last backup',
};

/** By system error code; `explainCodes` explains the others. */
const FILE_REASONS: Record<string, string> = {
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: NOT_WRITABLE,
  // Node also reports this if a folder can't be created on a read-only disk.
  ENOENT: 'cannot be created; check that its disk is mounted and writable',
  EEXIST: 'is a file; choose a folder instead',
};

const UNREACHABLE = 'cannot be reached; start it, or correct the address';

/** PostgreSQL's class 08 (connection exceptions), and network error codes such as `ECONNREFUSED`. */
const NO_CONNECTION = /^(08|ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;

/** By PostgreSQL error code (appendix A of its manual). */
const POSTGRES_REASONS: Record<string, string> = {
  '28P01': 'rejected the password; correct it in DATABASE_URL',
  '28000': 'rejected this user; correct the name in DATABASE_URL, or grant access',
  '3D000': 'has no such database; create it first',
  '25006': 'is read-only; use a server and a user with write access',
  '42501': 'does not let this user create tables',
  '53100': 'cannot grow because its disk is full; free some space, then try again',
  '57P01': 'has been stopped; start it again',
  '57P03': 'is still starting; try again in a moment',
  '53300': 'has no free connection; stop another program that uses it, then try again',
};
