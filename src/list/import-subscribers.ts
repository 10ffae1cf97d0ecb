import { randomUUIDv7 } from 'node:crypto';
import type { Insertable, Transaction } from 'kysely';
import { toMailbox } from './address.ts';
import { hashWording, recordWordings } from './consent-wording.ts';
import { findBlockedAddresses } from './blocked-addresses.ts';
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
 * @param options.begun a UUID of version 7 from the beginning of the import: its own people do not count as refusals
 * @param options.dryRun only counts
 */
export async function importBatch(
  store: Store,
  people: Evidence[],
  options: { secret: string; begun: string; dryRun: boolean },
): Promise<Record<Imported, number>> {
  const outcome: Record<Imported, number> = { imported: 0, known: 0, unsubscribed: 0, undeliverable: 0, erased: 0 };
  return store.transaction(async (tx) => {
    const known = await findKnown(tx, people);
    for (const state of known.values()) {
      outcome[state === 'unsubscribed' || state === 'undeliverable' ? state : 'known'] += 1;
    }
    const strangers = people.filter(({ normalisedAddress }) => !known.has(normalisedAddress));
    const addresses = strangers.map(({ normalisedAddress }) => normalisedAddress);
    const refusals = await findBlockedAddresses(tx, addresses, options.secret, options.begun);
    for (const refusal of refusals.values()) outcome[refusal] += 1;
    const unknown = strangers.filter(({ normalisedAddress }) => !refusals.has(normalisedAddress));
    if (options.dryRun || unknown.length === 0) return { ...outcome, imported: unknown.length };

    const wordings = new Set(unknown.map(({ wording }) => wording));
    await recordWordings(tx, [...wordings]);
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

function listConsents(person: Evidence, subscriberId: string): Insertable<ConsentRecord>[] {
  const { source, form, evidence, givenAt, confirmedAt, withdrawnAt } = person;
  const version = hashWording(person.wording);
  const events = [
    { event: 'given', at: givenAt, wording_version: version, evidence },
    { event: 'confirmed', at: confirmedAt, wording_version: version },
    { event: 'withdrawn', at: withdrawnAt },
  ] as const;
  return events.flatMap(({ at, ...event }) =>
    at === null ? [] : [{ id: randomUUIDv7(), subscriber_id: subscriberId, form, source, at, ...event }],
  );
}
