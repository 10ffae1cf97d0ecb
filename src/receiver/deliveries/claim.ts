import { type Kysely, sql, type Transaction } from 'kysely';
import { mailboxHash } from '../address-hashes.ts';
import { iso } from '../iso-time.ts';
import type { Store } from '../store/open-store.ts';
import type { Delivery, DeliveryKind, Schema, Subscriber } from '../store/schema.ts';
import { latestCredible } from './future-times.ts';
import { DELIVERY_KINDS, kindsWith } from './kinds.ts';
import { MAIL_PAUSE_MS } from './queue.ts';
import { LEASE_MS } from './release-interrupted.ts';

/** A delivery that is this process's to send, and whom it concerns. */
export type ClaimedDelivery = Delivery & { subscriber: Subscriber | undefined };

/** What a worker found: work, or the time (ms since 1970) before which there is none. */
export type Claim = { claimed: ClaimedDelivery[]; idleUntil?: number; isCapped?: boolean };

/** Claims sheet messages that are due, in the order in which they fell due. */
export async function claimSheetMessages(store: Store, most: number, now: number): Promise<Claim> {
  const due = await nextDue(store, SHEET_KINDS);
  if (due > now) return idle(due, now);
  const claimed = await store.transaction((tx) => claimDue(store, tx, SHEET_KINDS, most, now));
  return claimed.length > 0 ? { claimed } : idle(Infinity, now);
}

/**
 * Claims mails that are due and may go out: within the hourly cap, and no second one a day to a mailbox.
 * Mails past the cap wait. Skips recipients who have unsubscribed or confirmed since.
 */
export async function claimMails(
  store: Store,
  limits: { most: number; hourlyCap: number; secret: string },
  now: number,
): Promise<Claim> {
  const nextMail = await nextDue(store, MAIL_KINDS);
  if (nextMail > now) return idle(nextMail, now);
  return store.transaction(async (tx) => {
    // One claim of mails at a time, whatever instance makes it: the caps hold for all of them together.
    await tx
      .updateTable('facts')
      .set({ value: iso(now) })
      .where('name', '=', MAIL_GATE)
      .execute();
    const hour = await tx
      .selectFrom('mail_slots')
      .select((select) => [select.fn.countAll<number | string>().as('taken'), select.fn.min('taken_at').as('oldest')])
      .where('taken_at', '>', iso(now - HOUR_MS))
      .where('taken_at', '<', latestCredible(now))
      .executeTakeFirstOrThrow();
    const free = limits.hourlyCap - Number(hour.taken);
    if (free <= 0) return { claimed: [], idleUntil: Date.parse(hour.oldest) + HOUR_MS + 1, isCapped: true };

    const due = await claimByPriority(store, tx, Math.min(limits.most, free), now);
    // All that is due is being sent by another instance.
    if (due.length === 0) return idle(Infinity, now);
    const claimed: ClaimedDelivery[] = [];
    for (const delivery of due) {
      if (await enterSentLog(tx, delivery, limits.secret, now)) claimed.push(delivery);
    }
    return { claimed };
  });
}

/** Makes the row by which claims of mails take turns. To be called once before any claim. */
export async function openMailGate(store: Store): Promise<void> {
  await store.db
    .insertInto('facts')
    .values({ name: MAIL_GATE, value: '' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

const MAIL_GATE = 'mail-gate';
const HOUR_MS = 3600_000;
const MAIL_KINDS = kindsWith(({ worker }) => worker === 'mail');
const SHEET_KINDS = kindsWith(({ worker }) => worker === 'sheet');
const MAIL_KINDS_BY_PRIORITY = [1, 2]
  .map((priority) => kindsWith((rules) => rules.worker === 'mail' && rules.priority === priority))
  .filter((kinds) => kinds.length > 0);

async function claimByPriority(
  store: Store,
  tx: Transaction<Schema>,
  most: number,
  now: number,
): Promise<ClaimedDelivery[]> {
  const claimed: ClaimedDelivery[] = [];
  for (const kinds of MAIL_KINDS_BY_PRIORITY) {
    if (claimed.length < most) claimed.push(...(await claimDue(store, tx, kinds, most - claimed.length, now)));
  }
  return claimed;
}

async function claimDue(
  store: Store,
  tx: Transaction<Schema>,
  kinds: DeliveryKind[],
  most: number,
  now: number,
): Promise<ClaimedDelivery[]> {
  const due = waiting(tx, kinds)
    .select('id')
    .where('due_at', '<=', iso(now))
    .where('claimed_until', 'is', null)
    .orderBy('due_at')
    .limit(most);
  const claimed = await tx
    // Named apart, since PostgreSQL may run a subquery more than once, and then would lock more than it was asked to.
    .with('due', () => (store.kind === 'postgres' ? due.forUpdate().skipLocked() : due))
    .updateTable('deliveries')
    .set((column) => ({ claimed_until: iso(now + LEASE_MS), attempts: column('attempts', '+', 1) }))
    .where('id', 'in', (select) => select.selectFrom('due').select('due.id'))
    .returningAll()
    .execute();
  const ids = claimed.flatMap((delivery) => delivery.subscriber_id ?? []);
  const people =
    ids.length === 0 ? [] : await tx.selectFrom('subscribers').selectAll().where('id', 'in', ids).execute();
  const byId = new Map(people.map((subscriber) => [subscriber.id, subscriber]));
  return claimed.map((delivery) => Object.assign(delivery, { subscriber: byId.get(delivery.subscriber_id ?? '') }));
}

/** The state is written into the statement, since only then SQLite uses the index over what waits. */
function waiting(db: Kysely<Schema>, kinds: DeliveryKind[]) {
  return db
    .selectFrom('deliveries')
    .where('state', '=', sql.lit('waiting' as const))
    .where('kind', 'in', kinds);
}

/** Only reads, so that a worker may look often. */
async function nextDue(store: Store, kinds: DeliveryKind[]): Promise<number> {
  const next = await waiting(store.db, kinds).select('due_at').orderBy('due_at').limit(1).executeTakeFirst();
  return next ? Date.parse(next.due_at) : Infinity;
}

function idle(due: number, now: number): Claim {
  return { claimed: [], idleUntil: Math.min(due, now + LOOK_AGAIN_MS) };
}

/** Another process may have queued something or asked for a retry. */
const LOOK_AGAIN_MS = 1000;

/**
 * Enters a mail into the sent log, by which the caps count.
 * @returns whether the mail may go out now; if not it was put off, or dropped
 */
async function enterSentLog(
  tx: Transaction<Schema>,
  delivery: ClaimedDelivery,
  secret: string,
  now: number,
): Promise<boolean> {
  const { id, kind, subscriber } = delivery;
  const notAttempted = { claimed_until: null, attempts: delivery.attempts - 1 };
  const rules = DELIVERY_KINDS[kind];
  const isToSubscriber = rules.worker === 'mail' && rules.recipient === 'subscriber';
  if (isToSubscriber && subscriber?.state !== rules.requiredState) {
    const dropped = { ...notAttempted, state: 'dropped', finished_at: iso(now) } as const;
    await tx.updateTable('deliveries').set(dropped).where('id', '=', id).execute();
    return false;
  }
  const mailbox = isToSubscriber && subscriber ? mailboxHash(subscriber.normalised_address, secret) : null;
  if (mailbox !== null && isToSubscriber && rules.isOnePerDay) {
    const freeAt = await mailboxFreeAt(tx, mailbox, id, now);
    if (freeAt > now) {
      const putOff = { ...notAttempted, due_at: iso(freeAt) };
      await tx.updateTable('deliveries').set(putOff).where('id', '=', id).execute();
      return false;
    }
  }
  await tx
    .insertInto('mail_slots')
    .values({ delivery_id: id, mailbox_hash: mailbox, taken_at: iso(now) })
    .onConflict((conflict) => conflict.column('delivery_id').doUpdateSet({ taken_at: iso(now) }))
    .execute();
  return true;
}

/** When a mailbox may have its next mail, given the other mails in the sent log, in milliseconds since 1970. */
async function mailboxFreeAt(
  tx: Transaction<Schema>,
  mailbox: string,
  deliveryId: string,
  now: number,
): Promise<number> {
  const { last } = await tx
    .selectFrom('mail_slots')
    // max() over no rows is null, whatever its type says.
    .select((select) => select.fn.max('taken_at').$castTo<string | null>().as('last'))
    .where('mailbox_hash', '=', mailbox)
    .where('delivery_id', '!=', deliveryId)
    .where('taken_at', '>', iso(now - MAIL_PAUSE_MS))
    .executeTakeFirstOrThrow();
  return last === null ? -Infinity : Date.parse(last) + MAIL_PAUSE_MS + 1;
}
