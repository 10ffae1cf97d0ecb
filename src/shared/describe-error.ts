import { redactEmails } from './redact-emails.ts';

/**
 * Describes an error for the log: what failed and where in the sources, such as `ERR_SQLITE_ERROR 5 at
 * src/newsletter/database/open-store.ts:92`. Leaves out the message: a database error may quote the row.
 */
export function describeError(error: unknown): string {
  const { code, errcode, name, stack } = error as { code?: string; errcode?: number; name?: string; stack?: string };
  const what = [code ?? name ?? 'unknown', errcode].filter(Boolean).join(' ');
  const line = SOURCE_LINE.exec(stack?.slice(0, MAX_STACK_LENGTH) ?? '')?.[1];
  return line === undefined ? what : `${what} at ${line}`;
}

/** In characters: enough for a message and ten lines. */
const MAX_STACK_LENGTH = 4000;

/** Matches the first stack frame in our code; the built server's source maps give source paths. */
const SOURCE_LINE = /[/(](src\/[\w./-]+\.tsx?:\d+)/;

/**
 * Whether the site's own code threw an error, so that its message may be shown. Driver and system errors
 * have a code, and a message that may name rows, hosts and emails.
 */
export function isOwnError(error: unknown): boolean {
  return error instanceof Error && !('code' in error) && !('errcode' in error) && !BUGS.has(error.name);
}

/** The names of errors that the language or a library throws when our code is wrong. */
const BUGS = new Set([
  'AggregateError',
  'EvalError',
  'NoResultError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'ZodError',
]);

/** Describes a path for the log, without anything that may be an email address or a link's token. */
export function describePath(path: string): string {
  const parts = redactEmails(path.slice(0, MAX_PATH_LENGTH)).split('/');
  return parts.map((part) => (part.length < MIN_KEY_LENGTH ? part : '…')).join('/');
}

/** In characters: enough for every path on the site. */
const MAX_PATH_LENGTH = 200;

/** In characters: the keys in links are longer. */
const MIN_KEY_LENGTH = 30;
