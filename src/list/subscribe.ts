import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { SignUpForm } from '#shared/newsletter.ts';
import type { Environment } from '#shared/environment.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { toIso } from '#store/iso-time.ts';
import { MAIL_PAUSE_MS, createDelivery, type SignedUp } from '#store/new-delivery.ts';
import type { Store } from '#store/open-store.ts';
import type { ConsentRecord, Schema, Subscriber } from '#store/schema.ts';
import { toMailbox } from './address.ts';
import { lockPeople } from './erase.ts';
import { createNotifications, type NotificationSettings } from './notifications.ts';
import { findBlockedAddresses } from './blocked-addresses.ts';
import { dropWaitingOf } from '#store/delivery-state.ts';

/** A sign-up that has been checked. */
export type CheckedSignUp = SignedUp & {
  normalisedAddress: string;
  form: SignUpForm;
  /** The version of the consent wording beside the box. */
  wordingVersion: string;
  evidence: NonNullable<ConsentRecord['evidence']>;
};

/**
 * Stores a sign-up, its consent and the deliveries that follow from it, in one transaction.
 * - New, pending or undeliverable: subscribed and welcomed. With double opt-in, or where the mailbox has unsubscribed
 *   or was erased under any spelling: pending and asked to confirm.
 * - Subscribed: only the consent is recorded.
 * - Unsubscribed: asked to confirm, and otherwise left as they are, since anybody may have sent the sign-up.
 * Nobody is asked to confirm twice within a day.
 * @param options.secret keys the hashes of erased addresses
 * @param now milliseconds since 1970
 * @throws the store's error; then nothing is stored
 */
export async function subscribe(
  store: Store,
  signUp: CheckedSignUp,
  { env, secret }: { env: NotificationSettings & Pick<Environment, 'DOUBLE_OPT_IN'>; secret: string },
  now: number,
): Promise<void> {
  const at = toIso(now);
  await store.transaction(async (tx) => {
    const mustConfirm =
      env.DOUBLE_OPT_IN || (await findBlockedAddresses(tx, [signUp.normalisedAddress], secret)).size > 0;
    const { person, isNew } = await findOrCreate(tx, makeSubscriber(signUp, mustConfirm, at));
    await tx
      .insertInto('consent_records')
      .values({
        id: randomUUIDv7(),
        subscriber_id: person.id,
        event: 'given',
        wording_version: signUp.wordingVersion,
        form: signUp.form,
        source: signUp.source,
        evidence: signUp.evidence,
        at,
      })
      .execute();
    const personUpdate = tx.updateTable('subscribers').where('id', '=', person.id);
    if (!isNew && person.state === 'subscribed') {
      await personUpdate.set({ engaged_at: at }).execute();
      return;
    }

    if (!isNew) {
      if (mustConfirm && wasAskedToConfirm(person, now)) return;
      await dropWaitingOf(tx, person.id, now);
      await personUpdate
        .set(person.state === 'unsubscribed' ? { confirmation_queued_at: at } : renew(person, signUp, mustConfirm, at))
        .execute();
    }
    const deliveries = mustConfirm
      ? [createDelivery('confirmation', person.id, { queuedAt: at }, now)]
      : [createDelivery('welcome', person.id, {}, now), ...createNotifications(person.id, signUp, env, now)];
    await tx.insertInto('deliveries').values(deliveries).execute();
  });
}

/** @returns the person of this address, locked until the commit; `newcomer` where there was none */
async function findOrCreate(
  tx: Transaction<Schema>,
  newcomer: Subscriber,
): Promise<{ person: Subscriber; isNew: boolean }> {
  for (;;) {
    const created = await tx
      .insertInto('subscribers')
      .values(newcomer)
      .onConflict((conflict) => conflict.column('normalised_address').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (created !== undefined) return { person: newcomer, isNew: true };
    const person = await lockPeople(tx)
      .where('normalised_address', '=', newcomer.normalised_address)
      .executeTakeFirst();
    // On PostgreSQL the person may have been erased between the two statements; the next round creates them.
    if (person !== undefined) return { person, isNew: false };
  }
}

function makeSubscriber(signUp: CheckedSignUp, mustConfirm: boolean, at: string): Subscriber {
  return {
    id: randomUUIDv7(),
    address: signUp.email,
    normalised_address: signUp.normalisedAddress,
    mailbox: toMailbox(signUp.normalisedAddress),
    ...optionalFields((name) => signUp[name]),
    first_source: signUp.source,
    state: mustConfirm ? 'pending' : 'subscribed',
    created_at: at,
    state_changed_at: at,
    engaged_at: at,
    confirmation_queued_at: mustConfirm ? at : null,
    undeliverable_reason: null,
  };
}

function wasAskedToConfirm({ confirmation_queued_at: askedAt }: Subscriber, now: number): boolean {
  return askedAt !== null && Date.parse(askedAt) > now - MAIL_PAUSE_MS;
}

/** The columns that change for somebody who is pending or undeliverable. */
function renew(person: Subscriber, signUp: CheckedSignUp, mustConfirm: boolean, at: string) {
  return {
    ...optionalFields((name) => signUp[name] || person[name]),
    address: signUp.email,
    state: mustConfirm ? ('pending' as const) : ('subscribed' as const),
    undeliverable_reason: null,
    state_changed_at: at,
    engaged_at: at,
    confirmation_queued_at: mustConfirm ? at : null,
  };
}
