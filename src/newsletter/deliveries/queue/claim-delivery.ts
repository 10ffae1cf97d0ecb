import type { Kysely, QueryCreator, Transaction } from 'kysely';
import { toDeliverableEmail } from '../../subscribers/email.ts';
import { DELIVERY_KINDS, listKinds } from './delivery-kinds.ts';
import { claimDelivery, dropDelivery, expireDelivery } from './delivery-state.ts';
import { toIso } from '../../database/iso-time.ts';
import { writeMetadata } from '../../database/metadata.ts';
import { type DeliveryDetails, MAIL_PAUSE_MS, MAX_ASKED_FOR } from './new-delivery.ts';
import type { Store } from '../../database/open-store.ts';
import type { Delivery, DeliveryKind, Schema, Subscriber } from '../../database/schema.ts';
import { LEASE_MS } from './leases.ts';
import { findUsedUpCap, type SendingCaps } from './mail-limits.ts';

/** A delivery that this process is sending, with the email address and, for a subscriber, the mailbox hash. */
export type ClaimedDelivery = { delivery: Delivery; to: string | undefined; mailboxHash: string | null };

/** Nothing can be claimed now; poll again after this many milliseconds. */
export type Wait = { waitMs: number };

/** Deliveries of one kind; those of updates are split by update. */
type Queue = { kind: DeliveryKind; updateId: string | null };

const toQueues = (kinds: DeliveryKind[]): Queue[] => kinds.map((kind) => ({ kind, updateId: null }));

/** All messages to the sheet. */
export const SHEET_QUEUES = toQueues(listKinds(({ recipient }) => recipient === 'sheet'));

/** @param updates ids of the updates that are being sent; their emails come after all others */
export function listMailQueues(updates: string[]): Queue[] {
  return [...MAIL_QUEUES, ...updates.map((updateId) => ({ kind: 'update', updateId }) as const)];
}

const MAIL_QUEUES = toQueues(listKinds(({ recipient }) => recipient !== 'sheet').filter((kind) => kind !== 'update'));

/**
 * Claims the first delivery that may be sent: within the caps, to a person in a state that its kind requires, and not
 * too soon after other emails to the same mailbox. Drops or defers the ones before it.
 * @param queues the most urgent first
 * @param now milliseconds since 1970
 */
export async function claimNextDelivery(
  store: Store,
  queues: Queue[],
  caps: SendingCaps,
  now: number,
): Promise<ClaimedDelivery | Wait> {
  const due = await findDueQueues(store.db, queues, now);
  // Checked before the transaction too, to avoid writes while a cap is used up.
  if ((await keepToCaps(store.db, due, caps, now)).length === 0) return { waitMs: POLL_MS };
  return store.transaction(async (tx) => {
    // All instances share one lock, and therefore the caps.
    await writeMetadata(tx, LOCK, toIso(now));
    let deferred = 0;
    for (const queue of await keepToCaps(tx, due, caps, now)) {
      for (;;) {
        const delivery = await findFirst(tx, queue, now);
        if (delivery === undefined) break;
        const claimed = await claimUnlessDeferred(tx, delivery, now);
        if (claimed) return claimed;
        deferred += 1;
        if (deferred === MAX_DEFERRED) return { waitMs: 0 };
      }
    }
    // Another instance has claimed every due delivery.
    return { waitMs: POLL_MS };
  });
}

/** @returns the queues from which the caps still allow a delivery. Messages to the sheet aren't capped. */
async function keepToCaps(db: QueryCreator<Schema>, due: Queue[], caps: SendingCaps, now: number): Promise<Queue[]> {
  if (!due.some(({ kind }) => DELIVERY_KINDS[kind].recipient !== 'sheet')) return due;
  if ((await findUsedUpCap(db, caps, now, true)) === undefined) return due;
  const urgent = due.filter(({ kind }) => !BULK.has(kind));
  return urgent.length > 0 && (await findUsedUpCap(db, caps, now, false)) === undefined ? urgent : [];
}

/** Bulk emails, which leave a tenth of each cap to the others. */
const BULK = new Set<DeliveryKind>(['update', 'renewal']);

/** The row that is locked while a delivery is claimed. */
const LOCK = 'delivery-lock';

/** How often the queue is polled: handlers and other processes add to it. In milliseconds. */
const POLL_MS = 250;

/** Bounds how long one transaction holds the lock. */
const MAX_DEFERRED = 50;

/** Runs one read-only statement: workers poll often, and each round trip to PostgreSQL costs time. */
async function findDueQueues(db: Kysely<Schema>, queues: Queue[], now: number): Promise<Queue[]> {
  const columns = queues.map((queue, index) =>
    waitingIn(db, queue).select('id').where('due_at', '<=', toIso(now)).limit(1).as(`queue${index}`),
  );
  const found: Record<string, string | null> = await db.selectNoFrom(columns).executeTakeFirstOrThrow();
  return queues.filter((_, index) => found[`queue${index}`] !== null);
}

function waitingIn(db: Kysely<Schema>, { kind, updateId }: Queue) {
  return db
    .selectFrom('deliveries')
    .where('state', '=', 'waiting')
    .where('kind', '=', kind)
    .where('update_id', updateId === null ? 'is' : '=', updateId);
}

/** @returns undefined also if the update is no longer being sent */
function findFirst(tx: Transaction<Schema>, queue: Queue, now: number): Promise<Delivery | undefined> {
  const isSending = tx
    .selectFrom('updates')
    .select('id')
    .where('id', '=', queue.updateId)
    .where('state', '=', 'sending');
  return waitingIn(tx, queue)
    .selectAll()
    .where('due_at', '<=', toIso(now))
    .$if(queue.updateId !== null, (query) => query.where(({ exists }) => exists(isSending)))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
}

async function claimUnlessDeferred(
  tx: Transaction<Schema>,
  delivery: Delivery,
  now: number,
): Promise<ClaimedDelivery | undefined> {
  const rules = DELIVERY_KINDS[delivery.kind];
  let to: string | undefined;
  let mailbox: string | null = null;
  if (rules.recipient === 'subscriber' || rules.recipient === 'new address') {
    const recipient = await (rules.recipient === 'subscriber'
      ? findSubscriber(tx, delivery, rules.requiredStates)
      : findNewAddress(tx, delivery));
    if (recipient === undefined) {
      await dropDelivery(tx, delivery.id, now);
      return undefined;
    }
    to = toDeliverableEmail(recipient.email) ?? recipient.normalised_email;
    mailbox = recipient.mailbox_hash;
    const freeAt = isByOwner(delivery) ? now : await findMailboxFreeAt(tx, delivery, mailbox, now);
    if (freeAt > now) {
      await deferForMailbox(tx, delivery, freeAt, now);
      return undefined;
    }
  }
  const claimed = await claimDelivery(tx, delivery, toIso(now + LEASE_MS));
  if (claimed && rules.recipient !== 'sheet') {
    const mailbox_hash = isByOwner(delivery) ? null : mailbox;
    const counted = { kind: delivery.kind, mailbox_hash, taken_at: toIso(now) };
    await tx
      .insertInto('sent_mails')
      .values({ delivery_id: delivery.id, ...counted })
      .onConflict((conflict) => conflict.column('delivery_id').doUpdateSet(counted))
      .execute();
  }
  return claimed && { delivery: claimed, to, mailboxHash: mailbox };
}

const RECIPIENT = ['email', 'normalised_email', 'mailbox_hash'] as const;

function findSubscriber(tx: Transaction<Schema>, { subscriber_id: id }: Delivery, states: Subscriber['state'][]) {
  const person = tx.selectFrom('subscribers').select(RECIPIENT).where('id', '=', id);
  return person.where('state', 'in', states).executeTakeFirst();
}

/** @returns undefined also if the owner has asked again since */
function findNewAddress(tx: Transaction<Schema>, { subscriber_id: id, details }: Delivery) {
  const { queuedAt } = JSON.parse(details) as DeliveryDetails['new-address'];
  const change = tx.selectFrom('address_changes').select(RECIPIENT).where('subscriber_id', '=', id);
  return change.where('queued_at', '=', queuedAt).executeTakeFirst();
}

/** Whether the owner sent this confirmation again: the limits for each mailbox ignore it. */
function isByOwner({ kind, details }: Delivery): boolean {
  return kind === 'confirmation' && (JSON.parse(details) as DeliveryDetails['confirmation']).byOwner === true;
}

/**
 * Finds when the mailbox may get this email, in milliseconds since 1970. An update waits until a day after any other
 * email. Emails that somebody asked for go out at once, but only a few a day, since a stranger can sign up many
 * spellings of one mailbox.
 */
async function findMailboxFreeAt(
  tx: Transaction<Schema>,
  { id, kind }: Delivery,
  mailbox: string,
  now: number,
): Promise<number> {
  const times = await tx
    .selectFrom('sent_mails')
    .select('taken_at')
    .where('mailbox_hash', '=', mailbox)
    .where('delivery_id', '<>', id)
    .where('taken_at', '>', toIso(now - MAIL_PAUSE_MS))
    .$if(kind !== 'update', (query) => query.where('kind', '=', kind))
    .orderBy('taken_at', 'desc')
    .limit(MAX_ASKED_FOR)
    .execute();
  const last = kind === 'update' ? times[0] : times[MAX_ASKED_FOR - 1];
  return last === undefined ? now : Date.parse(last.taken_at) + MAIL_PAUSE_MS + 1;
}

/**
 * Defers the email until the mailbox is free, or fails it once its time is up, even untried: with many spellings of
 * one mailbox it may never be free.
 */
async function deferForMailbox(
  tx: Transaction<Schema>,
  { id, kind, give_up_at }: Delivery,
  freeAt: number,
  now: number,
): Promise<void> {
  const giveUpAt = Date.parse(give_up_at);
  if (now >= giveUpAt) return expireDelivery(tx, id, kind === 'update' ? ONE_A_DAY : MAX_A_DAY, now);
  const due_at = toIso(Math.min(freeAt, giveUpAt));
  await tx.updateTable('deliveries').set({ due_at }).where('id', '=', id).where('state', '=', 'waiting').execute();
}

const ONE_A_DAY = 'this mailbox gets one update a day';
const MAX_A_DAY = 'this mailbox has reached the daily limit for emails that people ask for';
