import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Content } from '#shared/content-schema.ts';
import type { SignUpForm } from '#shared/newsletter.ts';
import type { Schema } from '#store/schema.ts';

/** The sentence beside a consent box, and the name by which a consent record points to it. */
export type ConsentWording = { version: string; wording: string };

/**
 * The consent sentence of each form exactly as a visitor reads it, star included.
 * The version is drawn from the sentence, so a changed sentence cannot keep an old version.
 */
export function makeConsentWordings(home: Content['home']): Record<SignUpForm, ConsentWording> {
  return { Founder: makeWording(home.earlySignUp.consent), Footer: makeWording(home.footerSignUp.consent) };
}

function makeWording(sentence: string): ConsentWording {
  const wording = `${sentence} *`;
  return { version: hashWording(wording), wording };
}

/** The name of a sentence exactly as it was shown. */
export function hashWording(wording: string): string {
  return hash('sha256', wording).slice(0, 12);
}

/** Keeps every wording ever shown on record, since a page may be open in a browser for longer than a release lasts. */
export async function recordWordings(db: Kysely<Schema>, wordings: string[]): Promise<void> {
  const rows = wordings.map((wording) => ({ version: hashWording(wording), wording }));
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
