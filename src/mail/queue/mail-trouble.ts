import type { QueryCreator } from 'kysely';
import { toIso } from '#store/iso-time.ts';
import { readMetadata, writeMetadata } from '#store/metadata.ts';
import type { Schema } from '#store/schema.ts';

/** Since when the mail server has taken no mail, as an ISO time, and its last reason. */
export type MailTrouble = { since: string; reason: string };

/** @returns undefined where a mail has been taken since the last refusal */
export async function readTrouble(db: QueryCreator<Schema>): Promise<MailTrouble | undefined> {
  const value = await readMetadata(db, TROUBLE);
  return value === undefined ? undefined : (JSON.parse(value) as MailTrouble);
}

/** Kept for status and the weekly mail, since an alert could not leave. */
export async function recordTrouble(db: QueryCreator<Schema>, reason: string, at: number): Promise<void> {
  const { since } = (await readTrouble(db)) ?? { since: toIso(at) };
  await writeMetadata(db, TROUBLE, JSON.stringify({ since, reason }));
}

/** The mail server has taken a mail. */
export async function clearTrouble(db: QueryCreator<Schema>): Promise<void> {
  await db.deleteFrom('metadata').where('name', '=', TROUBLE).execute();
}

const TROUBLE = 'mail-server-trouble';
