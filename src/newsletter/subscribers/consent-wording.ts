import type { Kysely } from 'kysely';
import { hashWording } from '#content/consent/consent-wordings.ts';
import type { Schema } from '../database/schema.ts';

/** Records every wording ever shown, since a page may stay open in a browser across releases. */
export async function recordWordings(db: Kysely<Schema>, wordings: string[]): Promise<void> {
  const rows = wordings.map((wording) => ({ version: hashWording(wording), wording }));
  await db
    .insertInto('consent_wordings')
    .values(rows)
    .onConflict((conflict) => conflict.column('version').doNothing())
    .execute();
}

/** Whether a wording with this version was ever shown. */
export async function isWordingOnRecord(db: Kysely<Schema>, version: string): Promise<boolean> {
  // PostgreSQL rejects some strings, such as those with a zero byte.
  if (!/^[0-9a-f]{12}$/.test(version)) return false;
  const row = db.selectFrom('consent_wordings').select('version').where('version', '=', version);
  return (await row.executeTakeFirst()) !== undefined;
}
