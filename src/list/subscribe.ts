import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { SignUpForm } from '#shared/newsletter.ts';
import { type OptionalFields, optionalFields } from '#shared/sign-up-fields.ts';
import { MAIL_PAUSE_MS, newDelivery, type SignedUp } from '#store/new-delivery.ts';
import { iso } from '#store/iso-time.ts';
import { insertRows } from '#store/insert-rows.ts';
import type { Store } from '#store/open-store.ts';
import type { ConsentRecord, Delivery, Schema, Subscriber } from '#store/schema.ts';

/** A sign-up that has been checked. */
export type CheckedSignUp = OptionalFields & {
  email: string;
  normalisedAddress: string;
  source: string;
  form: SignUpForm;
  /** The version of the consent wording that stood beside the ticked box. */
  wordingVersion: string;
};

/** What follows from a sign-up; each is queued with it. */
export type FollowUps = { doubleOptIn: boolean; toSheet: boolean; toAgency: boolean };

/**
 * Stores sign-ups, their consent and all that must go out because of them, in one transaction.
 * - new, unsubscribed or undeliverable before: subscribed (pending with double opt-in) and mailed;
 * - subscribed already: the consent is recorded, nothing is mailed again;
 * - pending already: asked again to confirm, a day after the last time at the earliest.
 * @param now milliseconds since 1970
 * @throws whatever the store throws; then nothing of the batch is stored
 */
export async function subscribe(
  store: Store,
  signUps: CheckedSignUp[],
  followUps: FollowUps,
  now: number,
): Promise<void> {
  // Always in one order, so that two instances never wait for each other's rows.
  const ordered = signUps.toSorted((a, b) => (a.normalisedAddress < b.normalisedAddress ? -1 : 1));
  const at = iso(now);
  await store.transaction(async (tx) => {
    const subscribers = await findOrCreate(store, tx, ordered, followUps, now);
    const outcome: Outcome = { consents: [], deliveries: [], changed: new Map() };
    for (const signUp of ordered) {
      const subscriber = subscribers.all.get(signUp.normalisedAddress);
      if (subscriber === undefined) throw new ErasedMeanwhile();
      outcome.consents.push(consentGiven(subscriber, signUp, at));
      // The same address twice in one batch: the second time it is known.
      const isNew = subscribers.created.delete(subscriber.id);
      applySignUp(subscriber, isNew, signUp, followUps, now, outcome);
    }
    await insertRows(store, tx, 'consent_records', outcome.consents);
    await insertRows(store, tx, 'deliveries', outcome.deliveries);
    await writeChanges(tx, outcome.changed, now);
  });
}

/** Somebody was erased between two of our statements: the transaction is run again, and finds a new person. */
class ErasedMeanwhile extends Error {
  override name = 'ErasedMeanwhile';
  /** PostgreSQL's code for a transaction that has to be run again. */
  readonly code = '40001';
}

type Outcome = {
  consents: ConsentRecord[];
  deliveries: Delivery[];
  changed: Map<string, Subscriber>;
};

async function findOrCreate(
  store: Store,
  tx: Transaction<Schema>,
  signUps: CheckedSignUp[],
  followUps: FollowUps,
  now: number,
): Promise<{ all: Map<string, Subscriber>; created: Set<string> }> {
  const all = new Map<string, Subscriber>();
  for (const signUp of signUps) {
    if (!all.has(signUp.normalisedAddress)) all.set(signUp.normalisedAddress, newSubscriber(signUp, followUps, now));
  }
  const inserted = await insertRows<'subscribers', { id: string }>(
    store,
    tx,
    'subscribers',
    [...all.values()],
    'on conflict (normalised_address) do nothing returning id',
  );
  const created = new Set(inserted.map((row) => row.id));

  const known = [...all.values()]
    .filter(({ id }) => !created.has(id))
    .map((subscriber) => subscriber.normalised_address);
  if (known.length > 0) {
    const query = tx.selectFrom('subscribers').selectAll().where('normalised_address', 'in', known);
    // In PostgreSQL the rows stay locked until the commit; SQLite has one writer at a time anyway.
    const found = store.kind === 'postgres' ? query.orderBy('normalised_address').forUpdate() : query;
    // A person who is not found was erased since the insertion: the row made for them above was not stored.
    for (const address of known) all.delete(address);
    for (const subscriber of await found.execute()) all.set(subscriber.normalised_address, subscriber);
  }
  return { all, created };
}

function newSubscriber(signUp: CheckedSignUp, followUps: FollowUps, now: number): Subscriber {
  const at = iso(now);
  return {
    id: randomUUIDv7(),
    address: signUp.email,
    normalised_address: signUp.normalisedAddress,
    ...optionalFields((name) => signUp[name]),
    first_source: signUp.source,
    state: followUps.doubleOptIn ? 'pending' : 'subscribed',
    created_at: at,
    state_changed_at: at,
    engaged_at: at,
    confirmation_queued_at: followUps.doubleOptIn ? at : null,
    undeliverable_reason: null,
  };
}

function consentGiven(subscriber: Subscriber, signUp: CheckedSignUp, at: string): ConsentRecord {
  return {
    id: randomUUIDv7(),
    subscriber_id: subscriber.id,
    event: 'given',
    wording_version: signUp.wordingVersion,
    form: signUp.form,
    source: signUp.source,
    evidence: null,
    at,
    address_hash: null,
  };
}

function applySignUp(
  subscriber: Subscriber,
  isNew: boolean,
  signUp: CheckedSignUp,
  followUps: FollowUps,
  now: number,
  outcome: Outcome,
): void {
  if (!isNew) outcome.changed.set(subscriber.id, subscriber);
  if (!isNew && subscriber.state === 'subscribed') return;

  if (followUps.doubleOptIn) {
    const askedAt = isNew ? -Infinity : Date.parse(subscriber.confirmation_queued_at ?? '');
    if (subscriber.state === 'pending' && askedAt > now - MAIL_PAUSE_MS) return;
    outcome.deliveries.push(newDelivery('confirmation', subscriber.id, {}, now));
  } else {
    outcome.deliveries.push(newDelivery('welcome', subscriber.id, {}, now));
    outcome.deliveries.push(...announcements(subscriber.id, signUp, followUps, now));
  }
  if (isNew) return;
  subscriber.state = followUps.doubleOptIn ? 'pending' : 'subscribed';
  subscriber.address = signUp.email;
  Object.assign(
    subscriber,
    optionalFields((name) => signUp[name] || subscriber[name]),
  );
  subscriber.undeliverable_reason = null;
  subscriber.state_changed_at = iso(now);
  subscriber.confirmation_queued_at = followUps.doubleOptIn ? iso(now) : null;
}

/** The sheet's row and the notice to the agency, where they are wanted. */
export function announcements(
  subscriberId: string,
  { email, source, ...told }: SignedUp,
  followUps: FollowUps,
  now: number,
): Delivery[] {
  const details = { email, ...optionalFields((name) => told[name]), source };
  return [
    ...(followUps.toSheet ? [newDelivery('sheet-row', subscriberId, details, now)] : []),
    ...(followUps.toAgency ? [newDelivery('notice', subscriberId, details, now)] : []),
  ];
}

async function writeChanges(tx: Transaction<Schema>, changed: Map<string, Subscriber>, now: number): Promise<void> {
  const ids = [...changed.keys()];
  if (ids.length === 0) return;
  await tx
    .updateTable('subscribers')
    .set({ engaged_at: iso(now) })
    .where('id', 'in', ids)
    .execute();
  for (const subscriber of changed.values()) {
    if (subscriber.state_changed_at !== iso(now)) continue;
    const { id, created_at: _created, engaged_at: _engaged, ...state } = subscriber;
    await tx.updateTable('subscribers').set(state).where('id', '=', id).execute();
  }
}
