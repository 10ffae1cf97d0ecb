import type { Kysely, QueryCreator } from 'kysely';
import { iso } from '#store/iso-time.ts';
import type { Schema } from '#store/schema.ts';

/** Since when the mail server has let nobody in, as an ISO time, and what it said last. */
export type MailTrouble = { since: string; reason: string };

/** @returns undefined where the mail server lets us in, as far as is known */
export async function readTrouble(db: Kysely<Schema>): Promise<MailTrouble | undefined> {
  const row = await db.selectFrom('metadata').select('value').where('name', '=', TROUBLE).executeTakeFirst();
  return row && (JSON.parse(row.value) as MailTrouble);
}

/** Kept for status and the weekly mail, since an alert could not leave. */
export async function recordTrouble(db: QueryCreator<Schema>, reason: string, at: number): Promise<void> {
  const known = await db.selectFrom('metadata').select('value').where('name', '=', TROUBLE).executeTakeFirst();
  const since = known ? (JSON.parse(known.value) as MailTrouble).since : iso(at);
  const value = JSON.stringify({ since, reason });
  await db
    .insertInto('metadata')
    .values({ name: TROUBLE, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** The mail server has let us in. */
export async function clearTrouble(db: QueryCreator<Schema>): Promise<void> {
  await db.deleteFrom('metadata').where('name', '=', TROUBLE).execute();
}

const TROUBLE = 'mail-server-trouble';
