import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { SignUpForm } from '#shared/sign-up-rules.ts';
import type { Environment } from '#settings/environment.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';
import { toIso } from '../database/iso-time.ts';
import { createDelivery, type SignedUp } from '../deliveries/queue/new-delivery.ts';
import type { Store } from '../database/open-store.ts';
import type { ConsentRecord, Schema, Subscriber } from '../database/schema.ts';
import { hashMailbox } from './email.ts';
import { mayAskAgain } from './ask-again.ts';
import { findByLink, lockMailbox, lockPeople } from '../database/lock-rows.ts';
import { isFlooded } from './sign-up-flood.ts';
import { createNotifications, type NotificationSettings } from './notifications.ts';
import { dropWaitingOf } from '../deliveries/queue/delivery-state.ts';

/** A sign-up that has been checked. */
export type CheckedSignUp = SignedUp & {
  normalisedEmail: string;
  form: SignUpForm;
  /** The version of the consent wording next to the checkbox; null if it isn't known what was shown. */
  wordingVersion: string | null;
  evidence: NonNullable<ConsentRecord['evidence']>;
};

/**
 * Stores a sign-up, its consent and the deliveries that follow from it, in one transaction.
 * - New, pending or undeliverable: subscribed and welcomed. With double opt-in, or if the mailbox has unsubscribed or
 *   was erased: pending, and asked to confirm.
 * - Subscribed, under any spelling of the mailbox: only records the consent. This doesn't count as engagement, since
 *   anybody may have sent it.
 * - New, while far more people than usual are signing up: pending, and asked to confirm.
 * - Unsubscribed: asked to confirm, and otherwise left as they are, since anybody may have sent the sign-up.
 * At most one consent per person is recorded each day, unless they left in between. Asking again sends the
 * confirmation again after ten minutes, at most three times a day and six times in thirty days. An undeliverable mailbox
 * is welcomed as often.
 * @param options.secret keys the hashes of mailboxes
 * @param now milliseconds since 1970
 * @throws the store's error, in which case nothing has been stored
 */
export async function subscribe(
  store: Store,
  signUp: CheckedSignUp,
  { env, secret }: { env: NotificationSettings & Pick<Environment, 'DOUBLE_OPT_IN'>; secret: string },
  now: number,
): Promise<void> {
  const at = toIso(now);
  const mailboxHash = hashMailbox(signUp.normalisedEmail, secret);
  await store.transaction(async (tx) => {
    const { person, isNew, isBlocked } = await findOrCreate(tx, makeSubscriber(signUp, mailboxHash, at));
    const isSuspicious = isNew && (await isFlooded(tx, now));
    const mustConfirm = env.DOUBLE_OPT_IN || isBlocked || isSuspicious;
    await recordConsent(tx, person.id, signUp, now);
    const personUpdate = tx.updateTable('subscribers').where('id', '=', person.id);
    if (isNew && mustConfirm) await personUpdate.set({ state: 'pending', confirmation_queued_at: at }).execute();
    if (!isNew && person.state === 'subscribed') return;

    if (!isNew) {
      if ((mustConfirm || person.state === 'undeliverable') && !(await mayAskAgain(tx, person, now))) return;
      await dropWaitingOf(tx, person.id, now);
      await personUpdate
        .set(
          person.state === 'unsubscribed'
            ? { confirmation_queued_at: at }
            : reviseColumns(person, signUp, mustConfirm, at),
        )
        .execute();
    }
    const deliveries = mustConfirm
      ? [createDelivery('confirmation', person.id, { queuedAt: at }, now)]
      : [createDelivery('welcome', person.id, {}, now), ...createNotifications(person.id, signUp, env, now)];
    await tx.insertInto('deliveries').values(deliveries).execute();
  });
}

async function recordConsent(tx: Transaction<Schema>, id: string, signUp: CheckedSignUp, now: number): Promise<void> {
  const { form, source, evidence, wordingVersion } = signUp;
  const last = await tx
    .selectFrom('consent_records')
    .select(['event', 'at'])
    .where('subscriber_id', '=', id)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last !== undefined && last.event !== 'withdrawn' && Date.parse(last.at) > now - DAY_MS) return;
  const row = {
    id: randomUUIDv7(),
    subscriber_id: id,
    event: 'given' as const,
    form,
    source,
    evidence,
    at: toIso(now),
  };
  await tx
    .insertInto('consent_records')
    .values({ ...row, wording_version: wordingVersion })
    .execute();
}

const DAY_MS = 24 * 3600_000;

/**
 * Finds the person with a mailbox, under any spelling, or creates `newcomer`. Their row is locked until the commit, so
 * that they can't unsubscribe during the sign-up.
 * @returns `isBlocked`: the mailbox has unsubscribed or was erased, or its owner has unsubscribed since they moved to a
 *   new address
 */
async function findOrCreate(
  tx: Transaction<Schema>,
  newcomer: Subscriber,
): Promise<{ person: Subscriber; isNew: boolean; isBlocked: boolean }> {
  for (;;) {
    const person = await lockMailbox(tx, newcomer.mailbox_hash);
    const mover = person ?? (await findByLink(tx, lockPeople(tx), newcomer.mailbox_hash));
    const isBlocked = mover?.state === 'unsubscribed' || (await wasErased(tx, newcomer.mailbox_hash));
    if (person !== undefined) return { person, isNew: false, isBlocked };
    const created = await tx
      .insertInto('subscribers')
      .values(newcomer)
      .onConflict((conflict) => conflict.column('mailbox_hash').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (created !== undefined) return { person: newcomer, isNew: true, isBlocked };
    // On PostgreSQL, another sign-up has created them in the meantime; the next round locks them.
  }
}

async function wasErased(tx: Transaction<Schema>, mailboxHash: string): Promise<boolean> {
  const erasure = tx.selectFrom('erasures').select('at').where('mailbox_hash', '=', mailboxHash).limit(1);
  return (await erasure.executeTakeFirst()) !== undefined;
}

function makeSubscriber(signUp: CheckedSignUp, mailboxHash: string, at: string): Subscriber {
  return {
    id: randomUUIDv7(),
    email: signUp.email,
    normalised_email: signUp.normalisedEmail,
    mailbox_hash: mailboxHash,
    ...optionalFields((name) => signUp[name]),
    first_source: signUp.source,
    state: 'subscribed',
    created_at: at,
    state_changed_at: at,
    engaged_at: at,
    confirmation_queued_at: null,
    undeliverable_reason: null,
  };
}

/**
 * Makes the columns that change for somebody who is pending or undeliverable. Nobody is kept longer because a stranger
 * signed them up: only confirming counts as engagement. An undeliverable person who must confirm has thirty days for it.
 */
function reviseColumns(person: Subscriber, signUp: CheckedSignUp, mustConfirm: boolean, at: string) {
  return {
    ...optionalFields((name) => signUp[name] || person[name]),
    email: signUp.email,
    normalised_email: signUp.normalisedEmail,
    state: mustConfirm ? ('pending' as const) : ('subscribed' as const),
    undeliverable_reason: null,
    state_changed_at: at,
    engaged_at: person.state === 'undeliverable' && mustConfirm ? at : person.engaged_at,
    confirmation_queued_at: mustConfirm ? at : null,
  };
}
