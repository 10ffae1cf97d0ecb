import { isOwnError } from './describe-error.ts';

/**
 * Replaces error codes from Node, libraries and the system with explanations: an owner can't know what `ECONNREFUSED`
 * means.
 */
export function explainCodes(text: string): string {
  return text.replaceAll(/\bE[A-Z]{2,15}(?:_[A-Z]{2,12})?\b/g, (code) => SENTENCES[code] ?? code);
}

const SENTENCES: Record<string, string> = {
  EACCES: 'this user does not have permission',
  EADDRINUSE: 'another program uses this port',
  EADDRNOTAVAIL: 'this machine has no such address',
  EAI_AGAIN: 'the name server does not respond',
  EAUTH: 'the login was rejected',
  ECONNECTION: 'the connection ended',
  ECONNREFUSED: 'the connection was refused: nothing is listening at this host and port',
  ECONNRESET: 'the connection ended',
  EDNS: 'there is no host with this name',
  EEXIST: 'it already exists',
  EHOSTUNREACH: 'the host cannot be reached',
  EISDIR: 'this is a folder; a file was expected',
  ENETUNREACH: 'the network cannot be reached',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'part of the path is a file; a folder was expected',
  ENOTFOUND: 'there is no host with this name',
  EPERM: 'this user does not have permission',
  EPIPE: 'the connection ended',
  EROFS: 'the disk is read-only',
  ESOCKET: 'the connection failed: check the host, the port, and smtp:// or smtps://',
  ESERVFAIL: 'the name server’s own look-up failed',
  ETIMEDOUT: 'no response in time',
  ETIMEOUT: 'no response in time',
  ETLS: 'the two sides could not agree on encryption',
};

/** Explains a failure to the owner; for a system error, with its file or host. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, errcode, path, address, port } = error as Fault;
  const text = errcode === SQLITE_FULL ? SENTENCES.ENOSPC : SENTENCES[code ?? ''];
  if (text === undefined) return explainCodes(error.message);
  const subject = path ?? [address, port].filter(Boolean).join(':');
  return subject === '' ? text : `${subject}: ${text}`;
}

/**
 * Whether `explainError` has something to tell the owner: an error of our own, a system error in `SENTENCES`, or a mail
 * server's reply. The message of any other error is for the log.
 */
export function isForOwner(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', errcode } = error as Fault;
  if (isOwnError(error) || errcode === SQLITE_FULL || code in SENTENCES) return true;
  // Database and system errors have codes too, but their callers explain them.
  return typeof code === 'string' && !BUG_CODE.test(code) && !INNER_FIELDS.some((field) => field in error);
}

/** Matches a missing code, and the codes of Node's own errors except those about certificates. */
const BUG_CODE = /^$|^ERR_(?!TLS|SSL)/;

const INNER_FIELDS = ['errcode', 'severity', 'syscall'];

/** The owner's message for an error whose details are in the log. */
export const UNEXPECTED =
  'Something went wrong inside the site; it wasn’t anything you typed. Try again. If it happens again, ask whoever looks after your server to read its log';

type Fault = { code?: string; errcode?: number; path?: string; address?: string; port?: number };

/** SQLite's result code for a full disk (sqlite.org/rescode.html). */
const SQLITE_FULL = 13;
