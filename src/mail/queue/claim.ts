import { type Kysely, sql, type Transaction } from 'kysely';
import { mailboxHash } from '#list/address-hashes.ts';
import { iso } from '#store/iso-time.ts';
import { insertRows } from '#store/insert-rows.ts';
import type { Store } from '#store/open-store.ts';
import type { Delivery, DeliveryKind, Schema, Subscriber } from '#store/schema.ts';
import { latestCredible } from './future-times.ts';
import { DELIVERY_KINDS, kindsWith } from '#store/delivery-kinds.ts';
import { MAIL_PAUSE_MS } from '#store/new-delivery.ts';
import { LEASE_MS } from './release-interrupted.ts';

/** A delivery that is this process's to send, and whom it concerns. */
export type ClaimedDelivery = Delivery & { subscriber: Subscriber | undefined };

/** What a worker found: work, or the time (ms since 1970) before which there is none. */
export type Claim = { claimed: ClaimedDelivery[]; idleUntil?: number; isCapped?: boolean };

/** Claims sheet messages that are due, in the order in which they fell due. */
export async function claimSheetMessages(store: Store, most: number, now: number): Promise<Claim> {
  const { earliest, due } = await nextDue(store.db, SHEET_QUEUES, now);
  if (due.length === 0) return idle(earliest, now);
  const claimed = await store.transaction((tx) => claimDue(store, tx, due, most, now));
  return claimed.length > 0 ? { claimed } : idle(Infinity, now);
}

/**
 * Claims mails that are due and may go out: within the hourly cap, and no second one a day to a mailbox.
 * Mails past the cap wait. Skips recipients who have unsubscribed or confirmed since.
 * @param limits.updates ids of the updates that are being sent; their mails come after all others
 */
export async function claimMails(
  store: Store,
  limits: { most: number; hourlyCap: number; secret: string; updates: string[] },
  now: number,
): Promise<Claim> {
  const queues = [...MAIL_QUEUES, ...limits.updates.map((updateId) => ({ kind: 'update', updateId }) as const)];
  const next = await nextDue(store.db, queues, now);
  if (next.due.length === 0) return idle(next.earliest, now);
  return store.transaction(async (tx) => {
    // One claim of mails at a time, whatever instance makes it: the caps hold for all of them together.
    await tx
      .updateTable('metadata')
      .set({ value: iso(now) })
      .where('name', '=', MAIL_GATE)
      .execute();
    const hour = await tx
      .selectFrom('sent_mails')
      .select((select) => [select.fn.countAll<number | string>().as('taken'), select.fn.min('taken_at').as('oldest')])
      .where('taken_at', '>', iso(now - HOUR_MS))
      .where('taken_at', '<', latestCredible(now))
      .executeTakeFirstOrThrow();
    const free = limits.hourlyCap - Number(hour.taken);
    if (free <= 0) return { claimed: [], idleUntil: Date.parse(hour.oldest) + HOUR_MS + 1, isCapped: true };

    const due = await claimDue(store, tx, next.due, Math.min(limits.most, free), now);
    // All that is due is being sent by another instance.
    if (due.length === 0) return idle(Infinity, now);
    return { claimed: await enterSentLog(store, tx, due, limits.secret, now) };
  });
}

/** Makes the row by which claims of mails take turns. To be called once before any claim. */
export async function openMailGate(store: Store): Promise<void> {
  await store.db
    .insertInto('metadata')
    .values({ name: MAIL_GATE, value: '' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

const MAIL_GATE = 'mail-gate';
const HOUR_MS = 3600_000;

/** Deliveries of one kind, and of one update where they are its. */
type Queue = { kind: DeliveryKind; updateId: string | null };

const queuesOf = (kinds: DeliveryKind[]): Queue[] => kinds.map((kind) => ({ kind, updateId: null }));
const SHEET_QUEUES = queuesOf(kindsWith(({ worker }) => worker === 'sheet'));
const MAIL_QUEUES = queuesOf(kindsWith((rules) => rules.worker === 'mail' && rules.priority === 1));

async function claimDue(
  store: Store,
  tx: Transaction<Schema>,
  queues: Queue[],
  most: number,
  now: number,
): Promise<ClaimedDelivery[]> {
  const claimed: Delivery[] = [];
  for (const queue of queues) {
    if (claimed.length < most) claimed.push(...(await claimFrom(store, tx, queue, most - claimed.length, now)));
  }
  const ids = claimed.flatMap((delivery) => delivery.subscriber_id ?? []);
  const people =
    ids.length === 0 ? [] : await tx.selectFrom('subscribers').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(people.map((subscriber) => [subscriber.id, subscriber]));
  return claimed.map((delivery) => Object.assign(delivery, { subscriber: byId.get(delivery.subscriber_id ?? '') }));
}

async function claimFrom(
  store: Store,
  tx: Transaction<Schema>,
  queue: Queue,
  most: number,
  now: number,
): Promise<Delivery[]> {
  const due = waiting(tx, queue)
    .select('id')
    .where('due_at', '<=', iso(now))
    .where('claimed_until', 'is', null)
    .orderBy('due_at')
    .limit(most);
  return (
    tx
      // Named apart, since PostgreSQL may run a subquery more than once, and then would lock more than it was asked to.
      .with('due', () => (store.kind === 'postgres' ? due.forUpdate().skipLocked() : due))
      .updateTable('deliveries')
      .set({ claimed_until: iso(now + LEASE_MS) })
      .where('id', 'in', (select) => select.selectFrom('due').select('due.id'))
      .returningAll()
      .execute()
  );
}

/** The state is written into the statement, since only then SQLite uses the index over what waits. */
function waiting(db: Kysely<Schema>, { kind, updateId }: Queue) {
  return db
    .selectFrom('deliveries')
    .where('state', '=', sql.lit('waiting' as const))
    .where('kind', '=', kind)
    .where('update_id', updateId === null ? 'is' : '=', updateId);
}

/**
 * Only reads, so that a worker may look often; in one statement, since each way to PostgreSQL costs.
 * @returns when the next delivery falls due, in milliseconds since 1970, and the queues that have one that is
 */
async function nextDue(db: Kysely<Schema>, queues: Queue[], now: number): Promise<{ earliest: number; due: Queue[] }> {
  const columns = queues.map((queue, index) =>
    waiting(db, queue).select('due_at').orderBy('due_at').limit(1).as(`queue${index}`),
  );
  const found: Record<string, string | null> = await db.selectNoFrom(columns).executeTakeFirstOrThrow();
  const times = queues.map((_, index) => Date.parse(found[`queue${index}`] ?? '') || Infinity);
  return { earliest: Math.min(...times), due: queues.filter((_, index) => times[index]! <= now) };
}

function idle(due: number, now: number): Claim {
  return { claimed: [], idleUntil: Math.min(due, now + LOOK_AGAIN_MS) };
}

/** Another process may have queued something or asked for a retry. */
const LOOK_AGAIN_MS = 1000;

/**
 * Enters mails into the sent log, by which the caps count.
 * @returns those that may go out now; the others were put off or dropped
 */
async function enterSentLog(
  store: Store,
  tx: Transaction<Schema>,
  due: ClaimedDelivery[],
  secret: string,
  now: number,
): Promise<ClaimedDelivery[]> {
  const fitting = due.filter(fitsRecipient);
  const dropped = due.filter((delivery) => !fitting.includes(delivery)).map(({ id }) => id);
  if (dropped.length > 0) {
    const end = { state: 'dropped', claimed_until: null, finished_at: iso(now) } as const;
    await tx.updateTable('deliveries').set(end).where('id', 'in', dropped).execute();
  }
  const mailboxes = new Map(fitting.map((delivery) => [delivery, mailboxOf(delivery, secret)]));
  const freeAt = await mailboxesFreeAt(tx, mailboxes, now);
  const allowed: ClaimedDelivery[] = [];
  for (const [delivery, mailbox] of mailboxes) {
    const from = mailbox === null ? now : (freeAt.get(mailbox) ?? now);
    if (from > now && isOnePerDay(delivery)) {
      const putOff = { due_at: iso(from), claimed_until: null };
      await tx.updateTable('deliveries').set(putOff).where('id', '=', delivery.id).execute();
    } else {
      allowed.push(delivery);
      // A second mail of this batch to the same mailbox waits too.
      if (mailbox !== null) freeAt.set(mailbox, now + MAIL_PAUSE_MS + 1);
    }
  }
  const entries = allowed.map((delivery) => ({
    delivery_id: delivery.id,
    mailbox_hash: mailboxes.get(delivery) ?? null,
    taken_at: iso(now),
  }));
  await insertRows(store, tx, 'sent_mails', entries, RENEWED);
  return allowed;
}

const RENEWED = 'on conflict (delivery_id) do update set taken_at = excluded.taken_at';

function fitsRecipient({ kind, subscriber }: ClaimedDelivery): boolean {
  const rules = DELIVERY_KINDS[kind];
  if (rules.worker !== 'mail' || rules.recipient !== 'subscriber') return true;
  return subscriber !== undefined && rules.requiredStates.includes(subscriber.state);
}

function isOnePerDay({ kind }: ClaimedDelivery): boolean {
  const rules = DELIVERY_KINDS[kind];
  return rules.worker === 'mail' && rules.recipient === 'subscriber' && rules.isOnePerDay;
}

function mailboxOf({ kind, subscriber }: ClaimedDelivery, secret: string): string | null {
  const rules = DELIVERY_KINDS[kind];
  const isToSubscriber = rules.worker === 'mail' && rules.recipient === 'subscriber';
  return isToSubscriber && subscriber ? mailboxHash(subscriber.normalised_address, secret) : null;
}

/** When mailboxes may have their next mail, given the other mails in the sent log, in milliseconds since 1970. */
async function mailboxesFreeAt(
  tx: Transaction<Schema>,
  mailboxes: Map<ClaimedDelivery, string | null>,
  now: number,
): Promise<Map<string, number>> {
  const hashes = [...mailboxes.values()].filter((mailbox) => mailbox !== null);
  if (hashes.length === 0) return new Map();
  const last = await tx
    .selectFrom('sent_mails')
    .select((select) => ['mailbox_hash', select.fn.max('taken_at').as('taken_at')])
    .where('mailbox_hash', 'in', hashes)
    .where(
      'delivery_id',
      'not in',
      [...mailboxes.keys()].map(({ id }) => id),
    )
    .where('taken_at', '>', iso(now - MAIL_PAUSE_MS))
    .groupBy('mailbox_hash')
    .execute();
  return new Map(last.map((row) => [row.mailbox_hash ?? '', Date.parse(row.taken_at) + MAIL_PAUSE_MS + 1]));
}
