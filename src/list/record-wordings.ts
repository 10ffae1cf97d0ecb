import type { Kysely } from 'kysely';
import { iso } from '#store/iso-time.ts';
import type { Schema } from '#store/schema.ts';
import { consentVersion } from './consent-wording.ts';

/**
 * Keeps every wording ever shown on record, since a page may be open in a browser for longer than a release lasts.
 * @param now milliseconds since 1970
 */
export async function recordWordings(db: Kysely<Schema>, wordings: string[], now: number): Promise<void> {
  const rows = wordings.map((wording) => ({ version: consentVersion(wording), wording, first_shown_at: iso(now) }));
  await db
    .insertInto('consent_wordings')
    .values(rows)
    .onConflict((conflict) => conflict.column('version').doNothing())
    .execute();
}

/** Whether a wording of this version was ever shown. */
export async function isWordingOnRecord(db: Kysely<Schema>, version: string): Promise<boolean> {
  // PostgreSQL refuses some texts.
  if (!/^[0-9a-f]{12}$/.test(version)) return false;
  const row = db.selectFrom('consent_wordings').select('version').where('version', '=', version);
  return (await row.executeTakeFirst()) !== undefined;
}
