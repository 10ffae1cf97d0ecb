import { randomUUIDv7 } from 'node:crypto';
import type { Insertable, Transaction } from 'kysely';
import { hashMailbox } from '../subscribers/email.ts';
import { recordWordings } from '../subscribers/consent-wording.ts';
import { hashWording } from '#content/consent/consent-wordings.ts';
import { findBlockedEmails } from '../subscribers/blocked-emails.ts';
import { type OptionalFields, optionalFields } from '#shared/sign-up-fields.ts';
import type { Store } from '../database/open-store.ts';
import type { ConsentRecord, Schema, Subscriber } from '../database/schema.ts';

/** A subscribed person from elsewhere, with the evidence of their consent. Times are ISO texts. */
export type Evidence = OptionalFields & {
  email: string;
  normalisedEmail: string;
  /** The sentence that the person agreed to. */
  wording: string;
  source: string;
  form: string | null;
  evidence: ConsentRecord['evidence'];
  signedUpAt: string;
  givenAt: string;
  confirmedAt: string | null;
  engagedAt: string;
};

/** The result for one person. Known people don't change; a mailbox that unsubscribed or was erased stays out. */
export type Imported = 'imported' | 'existing' | 'unsubscribed' | 'undeliverable' | 'erased';

/**
 * Stores new people with their consent, in one transaction. Sends them no mail.
 * @param people each with a different email address
 * @param options.dryRun changes nothing
 * @returns the result for each, by normalised email address
 */
export async function importBatch(
  store: Store,
  people: Evidence[],
  options: { secret: string; dryRun: boolean },
): Promise<Map<string, Imported>> {
  return store.transaction(async (tx) => {
    const outcome = await findKnown(tx, people);
    const strangers = people.filter(({ normalisedEmail }) => !outcome.has(normalisedEmail));
    const addresses = strangers.map(({ normalisedEmail }) => normalisedEmail);
    for (const [email, refusal] of await findBlockedEmails(tx, addresses, options.secret)) {
      outcome.set(email, refusal);
    }
    const unknown = strangers.filter(({ normalisedEmail }) => !outcome.has(normalisedEmail));
    for (const { normalisedEmail } of unknown) outcome.set(normalisedEmail, 'imported');
    if (options.dryRun || unknown.length === 0) return outcome;

    await recordWordings(tx, [...new Set(unknown.map(({ wording }) => wording))]);
    const rows = new Map(unknown.map((person) => [person, toSubscriber(person, options.secret)]));
    const inserted = await tx
      .insertInto('subscribers')
      .values([...rows.values()])
      .onConflict((conflict) => conflict.column('normalised_email').doNothing())
      .returning('id')
      .execute();
    const created = new Set(inserted.map(({ id }) => id));
    // Somebody may have signed up at this moment.
    for (const [{ normalisedEmail }, { id }] of rows) if (!created.has(id)) outcome.set(normalisedEmail, 'existing');
    const consents = [...rows].flatMap(([person, { id }]) => (created.has(id) ? listConsents(person, id) : []));
    if (consents.length > 0) await tx.insertInto('consent_records').values(consents).execute();
    return outcome;
  });
}

async function findKnown(tx: Transaction<Schema>, people: Evidence[]): Promise<Map<string, Imported>> {
  const addresses = people.map(({ normalisedEmail }) => normalisedEmail);
  const rows = await tx
    .selectFrom('subscribers')
    .select(['normalised_email', 'state'])
    .where('normalised_email', 'in', addresses)
    .execute();
  return new Map(
    rows.map(({ normalised_email: email, state }) => [
      email,
      state === 'unsubscribed' || state === 'undeliverable' ? state : 'existing',
    ]),
  );
}

function toSubscriber(person: Evidence, secret: string): Subscriber {
  return {
    id: randomUUIDv7(),
    email: person.email,
    normalised_email: person.normalisedEmail,
    mailbox_hash: hashMailbox(person.normalisedEmail, secret),
    ...optionalFields((name) => person[name]),
    first_source: person.source,
    state: 'subscribed',
    undeliverable_reason: null,
    created_at: person.signedUpAt,
    state_changed_at: person.engagedAt,
    engaged_at: person.engagedAt,
    confirmation_queued_at: null,
  };
}

function listConsents(person: Evidence, subscriberId: string): Insertable<ConsentRecord>[] {
  const { source, form, evidence, givenAt, confirmedAt } = person;
  const version = hashWording(person.wording);
  const events = [
    { event: 'given', at: givenAt, wording_version: version, evidence },
    { event: 'confirmed', at: confirmedAt, wording_version: version },
  ] as const;
  return events.flatMap(({ at, ...event }) =>
    at === null ? [] : [{ id: randomUUIDv7(), subscriber_id: subscriberId, form, source, at, ...event }],
  );
}
