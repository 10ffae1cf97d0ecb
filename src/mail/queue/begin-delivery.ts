import type { Kysely, Transaction } from 'kysely';
import { toMailAddress, hashMailbox } from '#list/address.ts';
import { DELIVERY_KINDS, listKinds } from '#store/delivery-kinds.ts';
import { toIso } from '#store/iso-time.ts';
import { writeMetadata } from '#store/metadata.ts';
import { MAIL_PAUSE_MS } from '#store/new-delivery.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, DeliveryKind, Schema } from '#store/schema.ts';
import { LEASE_MS } from './leases.ts';
import { alertOfFlood, latestCredible, MAIL_KINDS, readLimits, type SendingCaps } from './mail-limits.ts';

/** The limits on mails, and the secret that hashes mailboxes in the sent log. */
export type MailCaps = SendingCaps & { secret: string };

/** A delivery that this process sends now; the address is undefined unless it goes to a subscriber. */
export type Begun = { delivery: Delivery; to: string | undefined };

/** Nothing can begin now; poll again after this many milliseconds. */
export type Wait = { waitMs: number };

/** Deliveries of one kind; mails of updates are split by update. */
type Queue = { kind: DeliveryKind; updateId: string | null };

const toQueues = (kinds: DeliveryKind[]): Queue[] => kinds.map((kind) => ({ kind, updateId: null }));

/** All messages to the sheet. */
export const SHEET_QUEUES = toQueues(listKinds(({ recipient }) => recipient === 'sheet'));

/** @param updates ids of the updates that are being sent; their mails come after all others */
export function listMailQueues(updates: string[]): Queue[] {
  return [...MAIL_QUEUES, ...updates.map((updateId) => ({ kind: 'update', updateId }) as const)];
}

const MAIL_QUEUES = toQueues(MAIL_KINDS.filter((kind) => kind !== 'update'));

/**
 * Begins the first delivery that may be sent: within the caps, to a person in a state that its kind requires, and not a
 * second mail to a mailbox within a day. Drops or puts off those before it that may not.
 * @param queues the most urgent first
 * @param now milliseconds since 1970
 */
export async function beginDelivery(store: Store, queues: Queue[], caps: MailCaps, now: number): Promise<Begun | Wait> {
  const due = await findDueQueues(store.db, queues, now);
  if (due.length === 0) return { waitMs: POLL_MS };
  // Also read before the transaction, so that nothing is written while the caps are used up.
  const findLimit = await readLimits(store.db, caps, now);
  if (due.some(({ kind }) => findLimit(kind)?.isFlood)) await alertOfFlood(store, now);
  if (due.every(({ kind }) => findLimit(kind))) return { waitMs: POLL_MS };
  return store.transaction(async (tx) => {
    // Locks the gate: one delivery begins at a time in all instances together, so that they share the caps.
    await writeMetadata(tx, GATE, toIso(now));
    const findLockedLimit = await readLimits(tx, caps, now);
    let putOff = 0;
    for (const queue of due.filter(({ kind }) => findLockedLimit(kind) === undefined)) {
      for (;;) {
        const delivery = await findFirst(tx, queue, now);
        if (delivery === undefined) break;
        const begun = await beginUnlessPutOff(tx, delivery, caps, now);
        if (begun) return begun;
        putOff += 1;
        if (putOff === MAX_PUT_OFF) return { waitMs: 0 };
      }
    }
    // Every due delivery waits for a cap, or was begun by another instance.
    return { waitMs: POLL_MS };
  });
}

/** The row that is locked to begin a delivery. */
const GATE = 'delivery-gate';

/** How often the queue is polled: handlers and other processes add to it. In milliseconds. */
const POLL_MS = 250;

/** Bounds how long one transaction holds the gate. */
const MAX_PUT_OFF = 50;

/** Only reads, so that workers may poll often; in one statement, since each round trip to PostgreSQL costs time. */
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

/** @returns undefined also where the update is no longer being sent */
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

async function beginUnlessPutOff(
  tx: Transaction<Schema>,
  delivery: Delivery,
  { secret }: MailCaps,
  now: number,
): Promise<Begun | undefined> {
  const rules = DELIVERY_KINDS[delivery.kind];
  let to: string | undefined;
  let mailbox: string | null = null;
  if (rules.recipient === 'subscriber') {
    const subscriber = await tx
      .selectFrom('subscribers')
      .select(['state', 'address', 'normalised_address'])
      .where('id', '=', delivery.subscriber_id)
      .executeTakeFirst();
    if (subscriber === undefined || !rules.requiredStates.includes(subscriber.state)) {
      await changeWaiting(tx, delivery, { state: 'dropped', finished_at: toIso(now) });
      return undefined;
    }
    to = toMailAddress(subscriber.address) ?? subscriber.normalised_address;
    mailbox = hashMailbox(subscriber.normalised_address, secret);
    const freeAt = await findMailboxFreeAt(tx, delivery, mailbox, now);
    if (freeAt > now) {
      await changeWaiting(tx, delivery, postponeForMailbox(delivery, freeAt, now));
      return undefined;
    }
  }
  const begun = await changeWaiting(tx, delivery, {
    state: 'sending',
    attempts: delivery.attempts + 1,
    lease_until: toIso(now + LEASE_MS),
  });
  if (begun && rules.recipient !== 'sheet') {
    const counted = { kind: delivery.kind, mailbox_hash: mailbox, taken_at: toIso(now) };
    await tx
      .insertInto('sent_mails')
      .values({ delivery_id: delivery.id, ...counted })
      .onConflict((conflict) => conflict.column('delivery_id').doUpdateSet(counted))
      .execute();
  }
  return begun && { delivery: begun, to };
}

/** When the mailbox may have its next mail, given the other mails in the sent log, in milliseconds since 1970. */
async function findMailboxFreeAt(
  tx: Transaction<Schema>,
  { id }: Delivery,
  mailbox: string,
  now: number,
): Promise<number> {
  const { last } = await tx
    .selectFrom('sent_mails')
    .select((select) => select.fn.max('taken_at').as('last'))
    .where('mailbox_hash', '=', mailbox)
    .where('delivery_id', '<>', id)
    .where('taken_at', '>', toIso(now - MAIL_PAUSE_MS))
    .where('taken_at', '<', latestCredible(now))
    .executeTakeFirstOrThrow();
  return last === null ? now : Date.parse(last) + MAIL_PAUSE_MS + 1;
}

/**
 * Waits until the mailbox is free, and fails when the mail's time is over, even untried: with many spellings of one
 * mailbox it may never be free. After a long outage a second mail to the mailbox therefore fails untried.
 */
function postponeForMailbox({ give_up_at }: Delivery, freeAt: number, now: number): Partial<Delivery> {
  const giveUpAt = Date.parse(give_up_at);
  return now < giveUpAt
    ? { due_at: toIso(Math.min(freeAt, giveUpAt)) }
    : { state: 'failed', finished_at: toIso(now), last_error: 'this mailbox gets one email a day' };
}

/** @returns undefined where the delivery no longer waits: a command or another instance was faster */
function changeWaiting(
  tx: Transaction<Schema>,
  { id }: Delivery,
  fields: Partial<Delivery>,
): Promise<Delivery | undefined> {
  return tx
    .updateTable('deliveries')
    .set(fields)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returningAll()
    .executeTakeFirst();
}
