import type { Transaction } from 'kysely';
import { DELIVERY_KINDS } from './delivery-kinds.ts';
import { type AttemptEnd, endAttempt } from './delivery-state.ts';
import { toIso } from '../../database/iso-time.ts';
import type { Store } from '../../database/open-store.ts';
import type { Delivery, Schema, SentUpdate } from '../../database/schema.ts';
import { applyBounce } from '../../bounces/undeliverable.ts';
import { pauseIfRejected } from '../../updates/pause-rule.ts';
import { lockUpdate } from '../../updates/update-state.ts';
import { type Consequence, decideConsequence } from '../decide-consequence.ts';
import type { DeliveryFailure } from '../delivery-failure.ts';
import { clearOutage, recordOutage } from '../smtp/mail-outage.ts';

/** The result of an attempt. */
export type Outcome = {
  /** As it was when the attempt began. */
  delivery: Delivery;
  /** When the attempt ended, in milliseconds since 1970. */
  at: number;
  /** Undefined if it was sent. */
  failure: DeliveryFailure | undefined;
  /** Set if its server seems to have died: the lease as it was read. If it has been renewed since, nothing changes. */
  leaseUntil?: string | null;
};

/**
 * Records how an attempt ended, and the consequences for its delivery, person and update. Doesn't touch a delivery
 * that another server has taken over.
 * @returns lines for the log, without personal addresses
 */
export async function recordOutcome(store: Store, outcome: Outcome): Promise<string[]> {
  const { delivery, failure } = outcome;
  return store.transaction(async (tx) => {
    if (failure === undefined) {
      if (DELIVERY_KINDS[delivery.kind].recipient !== 'sheet') await clearOutage(tx);
      // The details are no longer needed: a row of the sheet is erased by its id.
      const emptied = delivery.kind === 'sheet-row' && { details: '{}' };
      await end(tx, outcome, { state: 'sent', finished_at: toIso(outcome.at), last_error: null, ...emptied });
      return [];
    }
    const consequence = decideConsequence(delivery.kind, failure.ending);
    if (consequence.isOutage) {
      const pauseMs = failure.ending.kind === 'limited' ? failure.ending.pauseMs : undefined;
      await recordOutage(tx, failure.message, outcome.at, pauseMs);
    }
    const update = delivery.update_id === null ? undefined : await lockUpdate(tx, delivery.update_id);
    const next = findNext(outcome, consequence, update?.state === 'cancelled');
    if (!(await end(tx, outcome, next))) return [];
    const lines = [`${describe(outcome)}; ${describeNext(next, outcome.at)}.`];
    if (next.state !== 'failed' || !next.fault) return lines;
    await markBounced(tx, delivery, next, update);
    if (update !== undefined) lines.push(...(await pauseIfRejected(tx, update, failure.message, outcome.at)));
    return lines;
  });
}

/** Counts an email that failed because of its mailbox, which may make the person undeliverable. */
async function markBounced(
  tx: Transaction<Schema>,
  { id, kind, subscriber_id: subscriberId, queued_at }: Delivery,
  { fault, finished_at, last_error }: AttemptEnd,
  update: SentUpdate | undefined,
): Promise<void> {
  const isToSubscriber = DELIVERY_KINDS[kind].recipient === 'subscriber';
  if (!fault || fault === 'sender' || subscriberId === null || !isToSubscriber) return;
  const at = finished_at ?? queued_at;
  // A full mailbox is retried for a week, but its bounce counts on the day when the email was first sent.
  const sentAt = fault === 'full' ? (update?.send_at ?? queued_at) : at;
  await applyBounce(tx, { deliveryId: id, subscriberId, sentAt, fault, reason: last_error ?? '' }, Date.parse(at));
}

function findNext(outcome: Outcome, consequence: Consequence, isCancelled: boolean): AttemptEnd {
  const next = applyConsequence(outcome, consequence);
  // A waiting email of a cancelled update would never be sent.
  return isCancelled && next.state === 'waiting' ? { ...next, state: 'dropped', finished_at: toIso(outcome.at) } : next;
}

function applyConsequence({ delivery, at, failure, leaseUntil }: Outcome, consequence: Consequence): AttemptEnd {
  const reason = failure?.message ?? '';
  const dueAt = leaseUntil === undefined ? at + pauseAfter(delivery.attempts, Math.random()) : at;
  const waiting: AttemptEnd = { state: 'waiting', due_at: toIso(dueAt), last_error: reason };
  const failed: AttemptEnd = {
    state: 'failed',
    finished_at: toIso(at),
    last_error: reason,
    fault: consequence.fault ?? null,
  };
  switch (consequence.delivery) {
    case 'released':
      return { state: 'waiting', attempts: delivery.attempts - 1 };
    case 'deferred':
      return dueAt > Date.parse(delivery.give_up_at) && delivery.attempts >= MIN_ATTEMPTS ? failed : waiting;
    case 'rejected':
      return failed;
    case 'interrupted': {
      const interruptions = delivery.interruptions + 1;
      // The sheet recognises a message by its id, so it is safe to send it again.
      const isLast = interruptions >= MAX_INTERRUPTIONS && DELIVERY_KINDS[delivery.kind].recipient !== 'sheet';
      return isLast
        ? { ...failed, interruptions, last_error: `it may have arrived: ${reason}` }
        : { ...waiting, interruptions };
    }
  }
}

/** An email is retried for at least four hours (nine pauses), even if no login succeeded before its time was up. */
const MIN_ATTEMPTS = 10;

/** A server that keeps crashing must not email one person again and again. */
const MAX_INTERRUPTIONS = 2;

/** @returns false if another server has since taken over the delivery */
async function end(tx: Transaction<Schema>, { delivery, leaseUntil }: Outcome, next: AttemptEnd): Promise<boolean> {
  const ended = await endAttempt(tx, { ...delivery, leaseUntil }, next);
  // An email that was definitely not sent doesn't count towards the caps.
  if (ended && next.state !== 'sent' && ended.interruptions === 0) {
    await tx.deleteFrom('sent_mails').where('delivery_id', '=', delivery.id).execute();
  }
  return ended !== undefined;
}

/**
 * The pause after a failed attempt. It doubles from 40 s to 6 h. Up to a random quarter is subtracted, to spread
 * deliveries that failed together.
 * @param attempts how many have been made
 * @param random from 0 to 1, excluding 1
 * @returns milliseconds
 */
export function pauseAfter(attempts: number, random: number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LAST_PAUSE_MS);
  return longest * (0.75 + random / 4);
}

const FIRST_PAUSE_MS = 40_000;
const LAST_PAUSE_MS = 6 * 3600_000;

function describe({ delivery, failure }: Outcome): string {
  return `Delivery ${delivery.id} (${delivery.kind}), attempt ${delivery.attempts}: ${failure?.message}`;
}

function describeNext({ state, due_at, attempts }: AttemptEnd, at: number): string {
  if (attempts !== undefined) return 'released';
  if (state !== 'waiting') return state === 'failed' ? 'failed permanently' : 'dropped';
  return `next try in ${formatDuration(Date.parse(due_at ?? '') - at)}`;
}

export function formatDuration(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  if (minutes < 2) return `${Math.round(milliseconds / 1000)} s`;
  return minutes < 120 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}
