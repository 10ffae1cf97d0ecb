import { randomUUIDv7 } from 'node:crypto';
import type { Insertable, Transaction } from 'kysely';
import { hashMailbox } from '../subscribers/email.ts';
import { recordWordings } from '../subscribers/consent-wording.ts';
import { hashWording } from '#content/consent/consent-wordings.ts';
import { type OptionalFields, optionalFields } from '#shared/sign-up-fields.ts';
import type { Store } from '../database/open-store.ts';
import type { ConsentRecord, Schema, Subscriber, UpdateReader } from '../database/schema.ts';

/** A subscribed person from elsewhere, with the evidence of their consent. Times are ISO strings. */
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
  /** The updates that they have received, if the list is being moved. */
  updates: Pick<UpdateReader, 'file' | 'text_hash'>[];
  /** The hashes of the mailboxes that they have moved from. */
  formerMailboxes: string[];
};

/**
 * The result for one person. People already on the list don't change; a mailbox that unsubscribed or was erased isn't
 * added.
 */
export type Imported = 'imported' | 'existing' | 'unsubscribed' | 'undeliverable' | 'erased';

/**
 * Stores new people with their consent, in one transaction. Sends them no email.
 * @param people each with a different mailbox
 * @param options.dryRun changes nothing
 * @returns the result for each, by normalised email address
 */
export async function importBatch(
  store: Store,
  people: Evidence[],
  options: { secret: string; dryRun: boolean },
): Promise<Map<string, Imported>> {
  if (people.length === 0) return new Map();
  return store.transaction(async (tx) => {
    const hashes = new Map(people.map((person) => [person, hashMailbox(person.normalisedEmail, options.secret)]));
    const known = await findKnown(tx, [...hashes.values()]);
    const outcome = new Map<string, Imported>();
    for (const [{ normalisedEmail }, hash] of hashes)
      outcome.set(normalisedEmail, known.get(hash)?.result ?? 'imported');
    if (options.dryRun) return outcome;

    await recordWordings(tx, [...new Set(people.map(({ wording }) => wording))]);
    const consents: Insertable<ConsentRecord>[] = [];
    const histories: History[] = [];
    for (const [person, hash] of hashes) {
      const { result, other } = known.get(hash) ?? {};
      if (result === 'existing' && other !== undefined) histories.push({ id: other.id, person });
      // Somebody on the list under another spelling is the same person, who has agreed again.
      if (result === 'existing' && other !== undefined && other.email !== person.normalisedEmail) {
        if (!(await hasAgreedAt(tx, other.id, person.givenAt))) consents.push(...listConsents(person, other.id));
      }
      if (result !== undefined) continue;
      const row = toSubscriber(person, hash);
      const created = await tx
        .insertInto('subscribers')
        .values(row)
        .onConflict((conflict) => conflict.column('mailbox_hash').doNothing())
        .returning('id')
        .executeTakeFirst();
      // Somebody may have signed up in the meantime.
      if (created === undefined) outcome.set(person.normalisedEmail, 'existing');
      else {
        consents.push(...listConsents(person, row.id));
        histories.push({ id: row.id, person });
      }
    }
    if (consents.length > 0) await tx.insertInto('consent_records').values(consents).execute();
    await recordUpdates(tx, histories);
    await recordFormerMailboxes(tx, histories);
    return outcome;
  });
}

/** What keeps a person on a moved list from getting an update twice, or from being added twice. */
type History = { id: string; person: Pick<Evidence, 'updates' | 'formerMailboxes'> };

/** Records who has received which update, unless this list sent it. */
async function recordUpdates(tx: Transaction<Schema>, histories: History[]): Promise<void> {
  const had = histories.flatMap(({ id, person: { updates } }) =>
    updates.map((update): UpdateReader => ({ ...update, subscriber_id: id, update_id: null })),
  );
  if (had.length === 0) return;
  const sent = await tx
    .selectFrom('deliveries')
    .innerJoin('updates', 'updates.id', 'deliveries.update_id')
    .select(['deliveries.subscriber_id', 'updates.file', 'updates.text_hash'])
    .where('deliveries.subscriber_id', 'in', [...new Set(had.map(({ subscriber_id: id }) => id))])
    .where('deliveries.state', '=', 'sent')
    .execute();
  const toKey = (each: (typeof sent)[number]) => `${each.subscriber_id} ${each.text_hash} ${each.file}`;
  const known = new Set(sent.map(toKey));
  const rows = had.filter((each) => !known.has(toKey(each)));
  if (rows.length === 0) return;
  await tx
    .insertInto('update_readers')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function recordFormerMailboxes(tx: Transaction<Schema>, histories: History[]): Promise<void> {
  const rows = histories.flatMap(({ id, person: { formerMailboxes } }) =>
    formerMailboxes.map((mailbox_hash) => ({ mailbox_hash, subscriber_id: id })),
  );
  if (rows.length === 0) return;
  await tx
    .insertInto('former_mailboxes')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function hasAgreedAt(tx: Transaction<Schema>, subscriberId: string, at: string): Promise<boolean> {
  const record = tx
    .selectFrom('consent_records')
    .select('id')
    .where('subscriber_id', '=', subscriberId)
    .where('at', '=', at)
    .limit(1);
  return (await record.executeTakeFirst()) !== undefined;
}

type Known = { result: Exclude<Imported, 'imported'>; other?: { id: string; email: string } };

/**
 * Finds what is known about mailboxes, by their hashes. People who moved to a new address are also known by the old
 * one.
 */
export async function findKnown(tx: Transaction<Schema>, hashes: string[]): Promise<Map<string, Known>> {
  const erased = await tx
    .selectFrom('erasures')
    .select(['mailbox_hash', 'why'])
    .where('mailbox_hash', 'in', hashes)
    .execute();
  const people = await tx
    .selectFrom('subscribers')
    .select(['id', 'normalised_email', 'mailbox_hash', 'state'])
    .where('mailbox_hash', 'in', hashes)
    .execute();
  const moved = await tx
    .selectFrom('former_mailboxes')
    .innerJoin('subscribers', 'subscribers.id', 'subscriber_id')
    .select(['former_mailboxes.mailbox_hash', 'state'])
    .where('former_mailboxes.mailbox_hash', 'in', hashes)
    .execute();
  return new Map<string, Known>([
    ...moved.map(({ mailbox_hash, state }): [string, Known] => [mailbox_hash, { result: toResult(state) }]),
    ...erased.map(({ mailbox_hash, why }): [string, Known] => [
      mailbox_hash,
      { result: why === 'left' ? 'unsubscribed' : 'erased' },
    ]),
    ...people.map(({ id, normalised_email: email, mailbox_hash, state }): [string, Known] => [
      mailbox_hash,
      { result: toResult(state), other: { id, email } },
    ]),
  ]);
}

function toResult(state: Subscriber['state']): Known['result'] {
  return state === 'unsubscribed' || state === 'undeliverable' ? state : 'existing';
}

function toSubscriber(person: Evidence, mailboxHash: string): Subscriber {
  return {
    id: randomUUIDv7(),
    email: person.email,
    normalised_email: person.normalisedEmail,
    mailbox_hash: mailboxHash,
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
