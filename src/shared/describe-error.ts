import { redactEmails } from './redact-emails.ts';

/**
 * An error for the log: what failed and where in the sources, such as `ERR_SQLITE_ERROR 5 at
 * src/newsletter/database/open-store.ts:92`. Never its message: a database's may quote the row.
 */
export function describeError(error: unknown): string {
  const { code, errcode, name, stack } = error as { code?: string; errcode?: number; name?: string; stack?: string };
  const what = [code ?? name ?? 'unknown', errcode].filter(Boolean).join(' ');
  const line = SOURCE_LINE.exec(stack?.slice(0, MAX_STACK_LENGTH) ?? '')?.[1];
  return line === undefined ? what : `${what} at ${line}`;
}

/** Characters: ten lines, with a message before them. */
const MAX_STACK_LENGTH = 4000;

/** The first line of ours; the built server's source maps name the sources. */
const SOURCE_LINE = /[/(](src\/[\w./-]+\.tsx?:\d+)/;

/**
 * Whether the site's own code threw an error, so that its message may be shown. Errors of drivers and of the system
 * have a code, and a message that may name rows, hosts and emails.
 */
export function isOwnError(error: unknown): boolean {
  return error instanceof Error && !('code' in error) && !('errcode' in error);
}

/** A path for the log, without what may be an email or the token of a link. */
export function describePath(path: string): string {
  const parts = redactEmails(path.slice(0, MAX_PATH_LENGTH)).split('/');
  return parts.map((part) => (part.length < MIN_KEY_LENGTH ? part : '…')).join('/');
}

/** Characters: enough for every path of the site. */
const MAX_PATH_LENGTH = 200;

/** Characters: the keys in links are longer. */
const MIN_KEY_LENGTH = 30;
