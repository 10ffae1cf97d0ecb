import { randomUUIDv7 } from 'node:crypto';
import type { QueryCreator } from 'kysely';
import type { SignUp } from '#shared/sign-up-rules.ts';
import { toIso } from '../../database/iso-time.ts';
import type { Delivery, DeliveryKind, Schema } from '../../database/schema.ts';

/** How long a delivery is retried before it fails, in milliseconds. */
export const GIVE_UP_AFTER_MS = 7 * 24 * 3600_000;

/** How long a mailbox gets no update after any other email, in milliseconds. */
export const MAIL_PAUSE_MS = 24 * 3600_000;

/** How many emails that somebody asked for by signing up may go to a mailbox in a day. */
export const MAX_ASKED_FOR = 3;

/** The content of each kind of delivery, stored with it, so that later changes don't affect it. */
export type DeliveryDetails = {
  welcome: Record<string, never>;
  /** `queuedAt` is part of the link. `byOwner` is set if the owner sent it again: limits for each mailbox ignore it. */
  confirmation: { queuedAt: string; byOwner?: true };
  /** Its `queuedAt` is part of the link; the address is in `address_changes`. */
  'new-address': { queuedAt: string };
  /** Asks whether they still want updates, before they are erased. */
  renewal: Record<string, never>;
  update: Record<string, never>;
  notice: SignedUp;
  /** A warning to the owner about the sending itself. */
  alert: { subject: string; text: string };
  /** The week's figures as of Monday. */
  summary: { subject: string; text: string; html: string };
  /** `unsubscribed` is when the person unsubscribed, if that was before the row was in the sheet. */
  'sheet-row': SignedUp & { unsubscribed?: string };
  'unsubscribe-notice': { email: string };
  /** Ids of the rows of somebody who has unsubscribed. */
  'sheet-unsubscribe': { rows: string[] };
  /** Ids of the rows to delete; nothing else about the person is sent to the sheet. */
  'sheet-erasure': { rows: string[] };
};

/** The payload of the specification, section 3, without the name, which is always empty. */
export type SignedUp = Omit<SignUp, 'name'>;

/**
 * Creates a delivery; write it in the same transaction as the change that it reports.
 * @param now milliseconds since 1970
 * @param dueIn milliseconds before it may go out
 */
export function createDelivery<K extends DeliveryKind>(
  kind: K,
  subscriberId: string | null,
  details: DeliveryDetails[K],
  now: number,
  dueIn = 0,
): Delivery {
  const queuedAt = toIso(now);
  return {
    id: randomUUIDv7(),
    kind,
    subscriber_id: subscriberId,
    update_id: null,
    details: JSON.stringify(details),
    state: 'waiting',
    attempts: 0,
    interruptions: 0,
    queued_at: queuedAt,
    due_at: dueIn === 0 ? queuedAt : toIso(now + dueIn),
    give_up_at: toIso(now + dueIn + GIVE_UP_AFTER_MS),
    lease_until: null,
    finished_at: null,
    fault: null,
    last_error: null,
  };
}

/** Warns the owner about the sending itself. */
export async function queueAlert(
  db: QueryCreator<Schema>,
  alert: DeliveryDetails['alert'],
  now: number,
): Promise<void> {
  await db
    .insertInto('deliveries')
    .values(createDelivery('alert', null, alert, now))
    .execute();
}
