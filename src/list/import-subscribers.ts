import { randomUUIDv7 } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { mailboxHash, toMailbox } from './address.ts';
import { newConsentRecord } from './consent-record.ts';
import { consentVersion } from './consent-wording.ts';
import { recordWordings } from './record-wordings.ts';
import { type OptionalFields, optionalFields } from '#shared/sign-up-fields.ts';
import type { Store } from '#store/open-store.ts';
import type { ConsentRecord, Schema, Subscriber } from '#store/schema.ts';

/** A person from elsewhere, with the evidence of their consent. Times are ISO texts. */
export type Evidence = OptionalFields & {
  email: string;
  normalisedAddress: string;
  state: Subscriber['state'];
  undeliverableReason: string | null;
  /** The sentence that the person agreed to. */
  wording: string;
  source: string;
  form: string | null;
  evidence: ConsentRecord['evidence'];
  signedUpAt: string;
  givenAt: string;
  confirmedAt: string | null;
  withdrawnAt: string | null;
  engagedAt: string;
};

/**
 * The result for one person: somebody known is left as they are; a mailbox that has unsubscribed or was erased stays
 * out.
 */
export type Imported = 'imported' | 'known' | 'unsubscribed' | 'undeliverable' | 'erased';

/**
 * Stores new people with their consent, in one transaction. Sends them no mail.
 * @param people each with an address of their own
 * @param options.now milliseconds since 1970
 * @param options.begun a UUID of version 7 from the beginning of the import: what it has stored itself refuses nobody
 * @param options.dryRun only counts
 */
export async function importBatch(
  store: Store,
  people: Evidence[],
  options: { secret: string; now: number; begun: string; dryRun: boolean },
): Promise<Record<Imported, number>> {
  const outcome: Record<Imported, number> = { imported: 0, known: 0, unsubscribed: 0, undeliverable: 0, erased: 0 };
  if (people.length === 0) return outcome;
  return store.transaction(async (tx) => {
    const known = await findKnown(tx, people);
    for (const state of known.values()) {
      outcome[state === 'unsubscribed' || state === 'undeliverable' ? state : 'known'] += 1;
    }
    const strangers = people.filter(({ normalisedAddress }) => !known.has(normalisedAddress));
    const erased = await findErased(tx, strangers, options.secret);
    const refusing = await findRefusingMailboxes(tx, strangers, options.begun);
    outcome.erased = erased.size;
    const unknown = strangers.filter(
      (person) => !erased.has(person) && !refusing.has(toMailbox(person.normalisedAddress)),
    );
    outcome.unsubscribed += strangers.length - erased.size - unknown.length;
    if (options.dryRun || unknown.length === 0) return { ...outcome, imported: unknown.length };

    const wordings = new Set(unknown.map(({ wording }) => wording));
    await recordWordings(tx, [...wordings], options.now);
    const rows = new Map(unknown.map((person) => [person, toSubscriber(person)]));
    const inserted = await tx
      .insertInto('subscribers')
      .values([...rows.values()])
      .onConflict((conflict) => conflict.column('normalised_address').doNothing())
      .returning('id')
      .execute();
    // People who signed up at this moment are known.
    const created = new Set(inserted.map(({ id }) => id));
    const consents = [...rows].flatMap(([person, { id }]) => (created.has(id) ? listConsents(person, id) : []));
    if (consents.length > 0) await tx.insertInto('consent_records').values(consents).execute();
    return { ...outcome, imported: created.size, known: outcome.known + unknown.length - created.size };
  });
}

async function findKnown(tx: Transaction<Schema>, people: Evidence[]): Promise<Map<string, Subscriber['state']>> {
  const addresses = people.map(({ normalisedAddress }) => normalisedAddress);
  const rows = await tx
    .selectFrom('subscribers')
    .select(['normalised_address', 'state'])
    .where('normalised_address', 'in', addresses)
    .execute();
  return new Map(rows.map((row) => [row.normalised_address, row.state]));
}

/** The people whose mailbox was erased: an import must not bring anybody back. */
async function findErased(tx: Transaction<Schema>, people: Evidence[], secret: string): Promise<Set<Evidence>> {
  if (people.length === 0) return new Set();
  const byHash = Map.groupBy(people, ({ normalisedAddress }) => mailboxHash(normalisedAddress, secret));
  const rows = await tx
    .selectFrom('consent_records')
    .select('mailbox_hash')
    .where('mailbox_hash', 'in', [...byHash.keys()])
    .execute();
  return new Set(rows.flatMap(({ mailbox_hash }) => byHash.get(mailbox_hash ?? '') ?? []));
}

/** The mailboxes of these people that have unsubscribed by another spelling. */
async function findRefusingMailboxes(tx: Transaction<Schema>, people: Evidence[], begun: string): Promise<Set<string>> {
  if (people.length === 0) return new Set();
  const mailboxes = people.map(({ normalisedAddress }) => toMailbox(normalisedAddress));
  const rows = await tx
    .selectFrom('subscribers')
    .select('mailbox')
    .where('mailbox', 'in', mailboxes)
    // Written out, since SQLite uses the index of those alone only then.
    .where(sql<boolean>`state = 'unsubscribed'`)
    .where('id', '<', begun)
    .execute();
  return new Set(rows.map(({ mailbox }) => mailbox));
}

function toSubscriber(person: Evidence): Subscriber {
  return {
    id: randomUUIDv7(),
    address: person.email.trim(),
    normalised_address: person.normalisedAddress,
    mailbox: toMailbox(person.normalisedAddress),
    ...optionalFields((name) => person[name]),
    first_source: person.source,
    state: person.state,
    undeliverable_reason: person.undeliverableReason,
    created_at: person.signedUpAt,
    state_changed_at: person.engagedAt,
    engaged_at: person.engagedAt,
    confirmation_queued_at: null,
  };
}

function listConsents(person: Evidence, subscriberId: string): ConsentRecord[] {
  const { source, form, evidence, givenAt, confirmedAt, withdrawnAt } = person;
  const version = consentVersion(person.wording);
  const events = [
    { event: 'given', at: givenAt, wording_version: version, evidence },
    { event: 'confirmed', at: confirmedAt, wording_version: version },
    { event: 'withdrawn', at: withdrawnAt },
  ] as const;
  return events.flatMap(({ at, ...event }) =>
    at === null ? [] : [newConsentRecord({ subscriber_id: subscriberId, form, source, at, ...event })],
  );
}
