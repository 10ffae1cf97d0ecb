import { quoteBriefly } from '#shared/redact-emails.ts';
import type { Fault } from '../database/schema.ts';

/** Why a delivery was not accepted. The reason is stored and shown, so it never contains an email address. */
export class DeliveryFailure extends Error {
  override name = 'DeliveryFailure';
  readonly ending: Ending;

  /** @param ending left out if the sheet or the outbox failed */
  constructor(reason: string, ending: Ending = { kind: 'no mail server' }) {
    super(quoteBriefly(reason, MAX_CHARACTERS));
    this.ending = ending;
  }
}

const MAX_CHARACTERS = 700;

/** How an unsuccessful attempt ended. */
export type Ending =
  /** The connection or the login failed. */
  | { kind: 'no login' }
  /** Rejected for now, or no reply before the email was sent. `full`: the mailbox may have space tomorrow. */
  | { kind: 'deferred'; fault?: 'full' }
  /** The provider's limit on this sender is reached: it accepts no email at all for `pauseMs` milliseconds. */
  | { kind: 'limited'; pauseMs: number }
  /** Rejected permanently. */
  | { kind: 'rejected'; fault: Exclude<Fault, 'full'> }
  /** No reply after the email was sent: it may have arrived. */
  | { kind: 'unanswered' }
  | { kind: 'no mail server' };
