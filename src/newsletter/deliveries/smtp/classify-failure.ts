import type { DeliveryKind, Refusal } from '../../database/schema.ts';
import { DELIVERY_KINDS } from '../queue/delivery-kinds.ts';

/** Why the mail server did not accept the mail. */
export type SmtpResult =
  /** The connection or the login failed. */
  | 'no login'
  /** A refusal for now, or no answer before the mail was sent. */
  | 'deferred'
  /** The mailbox is full, for now or for good: it may have room tomorrow. */
  | 'mailbox full'
  /** A refusal for good because of the sender, a limit or the mail. */
  | 'refused'
  /** The recipient was refused for good, without a reason: a dead mailbox or a provider's limit. */
  | 'refused without reason'
  /** A refusal for good because of the mailbox. */
  | 'no such mailbox'
  /** No answer after the mail was sent. */
  | 'unanswered';

/** What follows from a failed attempt. */
export type Consequence = {
  /**
   * `released`: waits until a login succeeds, and the attempt is not counted.
   * `deferred`: is retried after a pause, and fails when its time is over.
   * `refused`: fails, until the owner retries it.
   * `interrupted`: may have arrived, so it is sent once more at most, and then fails.
   */
  delivery: 'released' | 'deferred' | 'refused' | 'interrupted';
  /** Whether the other mails wait (10 s to 5 min), go more slowly, or go on. */
  others: 'back off' | 'slow down' | 'go on';
  /** Recorded when the delivery fails. */
  refusal?: Refusal;
  /** Whether status and the weekly mail report an outage of the mail server. */
  isOutage?: boolean;
};

/** @param result undefined if the sheet or the outbox failed */
export function classifyFailure(kind: DeliveryKind, result: SmtpResult | undefined): Consequence {
  switch (result) {
    case 'no login':
      return { delivery: 'released', others: 'back off', isOutage: true };
    case 'deferred':
      return { delivery: 'deferred', others: 'slow down' };
    case 'mailbox full':
      return { delivery: 'deferred', others: 'go on', refusal: 'full' };
    case 'unanswered':
      return { delivery: 'interrupted', others: 'slow down' };
    case 'refused':
      // Other mails would be refused as well. Many refusals pause an update; a mail that answers a person or informs
      // the owner waits until the provider accepts mails again.
      return kind === 'update'
        ? { delivery: 'refused', others: 'go on', refusal: 'mail' }
        : { delivery: 'deferred', others: 'slow down', refusal: 'mail', isOutage: true };
    case 'refused without reason':
      // It may be a limit that is over when a mail that answers a person is tried again.
      return { delivery: kind === 'update' ? 'refused' : 'deferred', others: 'go on', refusal: 'unclear' };
    case 'no such mailbox':
      // The owner's own mailbox: an alert must not be lost.
      return kind === 'alert'
        ? { delivery: 'deferred', others: 'go on' }
        : {
            delivery: 'refused',
            others: 'go on',
            refusal: DELIVERY_KINDS[kind].recipient === 'subscriber' ? 'mailbox' : 'mail',
          };
    case undefined:
      return { delivery: 'deferred', others: 'go on' };
  }
}
