import type { DeliveryKind } from '#store/schema.ts';
import { DELIVERY_KINDS } from '#store/delivery-kinds.ts';

/** How a conversation ended in which the mail server did not accept the mail. */
export type SmtpEnd =
  /** The connection or the login failed. */
  | 'no login'
  /** A refusal for now, or no answer before the mail was sent. */
  | 'deferred'
  /** A refusal for good because of the sender, a limit or the mail. */
  | 'refused'
  /** A refusal for good because of the mailbox. */
  | 'no such mailbox'
  /** No answer after the mail was sent. */
  | 'unanswered';

/** The consequences of a delivery that failed. */
export type Consequence = {
  /**
   * `given back`: waits until a login succeeds, and the attempt is not counted.
   * `put off`: is retried after a pause, and fails when its time is over.
   * `refused`: fails, until the owner retries it.
   * `interrupted`: may have arrived, so it is sent once more at most, and then fails.
   */
  delivery: 'given back' | 'put off' | 'refused' | 'interrupted';
  /** Whether the other mails wait too, and how long. */
  others: 'wait from 10 s to 5 min' | 'follow more slowly' | 'go on';
  /** The person of a refused mail becomes undeliverable. */
  marksPerson?: boolean;
  /** Status and the weekly mail say that the mail server accepts no mail. */
  isTrouble?: boolean;
};

/** @param end undefined where the sheet or the outbox failed */
export function findConsequence(kind: DeliveryKind, end: SmtpEnd | undefined): Consequence {
  switch (end) {
    case 'no login':
      return { delivery: 'given back', others: 'wait from 10 s to 5 min', isTrouble: true };
    case 'deferred':
      return { delivery: 'put off', others: 'follow more slowly' };
    case 'unanswered':
      return { delivery: 'interrupted', others: 'follow more slowly' };
    case 'refused':
      // Other mails would be refused as well. Many refusals pause an update; a mail that answers a person or informs
      // the owner waits until the provider accepts mails again.
      return kind === 'update'
        ? { delivery: 'refused', others: 'go on' }
        : { delivery: 'put off', others: 'follow more slowly', isTrouble: true };
    case 'no such mailbox':
      // It may be a limit of the provider, during which an alert must not be lost.
      return kind === 'alert'
        ? { delivery: 'put off', others: 'go on' }
        : { delivery: 'refused', others: 'go on', marksPerson: DELIVERY_KINDS[kind].recipient === 'subscriber' };
    case undefined:
      return { delivery: 'put off', others: 'go on' };
  }
}
