import { explainCodes } from '#shared/explain-codes.ts';
import { quoteBriefly } from '#shared/redact-emails.ts';
import type { QueryCreator } from 'kysely';
import { toIso } from '../database/iso-time.ts';
import { readMetadata, writeMetadata } from '../database/metadata.ts';
import { queueAlert } from '../deliveries/queue/new-delivery.ts';
import type { Store } from '../database/open-store.ts';
import type { Schema } from '../database/schema.ts';

/** The ISO time since which the bounce mailbox has been unreadable, and the latest reason. */
export type MailboxFailure = { since: string; reason: string; isAlerted?: boolean };

/** Why the mailbox can't be read: the server's own message if there was one, without addresses. */
export function describeMailboxError(error: unknown): string {
  const { responseText, reason, code = '', message = 'unknown' } = error as MailboxError;
  if (code.startsWith('ERR_SSL'))
    return 'the two sides could not agree on encryption; check the port, which is 993 for imaps://';
  const said = responseText || reason;
  if (said) return `the mail server says “${quoteBriefly(said, 200)}”`;
  if (/^(?:ClosedAfterConnect|NoConnection|EConnectionClosed)/.test(code)) return 'the connection ended';
  if (code.endsWith('_TIMEOUT')) return 'no response in time';
  const explained = explainCodes(code);
  return explained === code ? quoteBriefly(message, 200) : explained;
}

/** An error of imapflow or the system; `reason` is what a server said before it closed the connection. */
type MailboxError = { responseText?: string; reason?: string; code?: string; message?: string };

/**
 * Records a failure in the store, so that it survives a restart, and alerts the owner once it has lasted a day.
 * @param now milliseconds since 1970
 */
export async function recordMailboxFailure(store: Store, reason: string, now: number): Promise<void> {
  await store.transaction(async (tx) => {
    const { since = toIso(now), isAlerted = false } = (await readFailure(tx)) ?? {};
    const isDue = !isAlerted && now - Date.parse(since) >= ALERT_AFTER_MS;
    await writeMetadata(tx, FAILURE, JSON.stringify({ since, reason, isAlerted: isAlerted || isDue }));
    if (isDue) {
      const text = `Reports about undelivered emails have not been read for a day: ${reason}. ${ADVICE}\n`;
      await queueAlert(tx, { subject: 'Your bounce mailbox cannot be read', text }, now);
    }
  });
}

/** Clears the failure once the mailbox has been read. */
export async function clearMailboxFailure({ db }: Store): Promise<void> {
  await db.deleteFrom('metadata').where('name', '=', FAILURE).execute();
}

/** @returns undefined unless the mailbox has been unreadable for at least an hour */
export async function readMailboxFailure({ db }: Store, now: number): Promise<MailboxFailure | undefined> {
  const failure = await readFailure(db);
  return failure && now - Date.parse(failure.since) >= TELL_AFTER_MS ? failure : undefined;
}

/** The consequence of an unreadable mailbox, and advice for the owner. */
export const ADVICE =
  'Until the mailbox can be read again, dead addresses that are reported there stay on your list. Check the mailbox’s password under Settings: many providers require an app password, and Microsoft 365 no longer accepts one.';

const FAILURE = 'bounce-mailbox-failure';
const TELL_AFTER_MS = 3600_000;
const ALERT_AFTER_MS = 24 * 3600_000;

async function readFailure(db: QueryCreator<Schema>): Promise<MailboxFailure | undefined> {
  const value = await readMetadata(db, FAILURE);
  return value === undefined ? undefined : (JSON.parse(value) as MailboxFailure);
}
