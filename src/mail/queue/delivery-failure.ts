import { withoutAddresses } from '#shared/without-addresses.ts';
import type { Answer, Stage } from './failure-table.ts';

/** Why a delivery did not arrive. The reason is kept and shown, so it never holds an address. */
export class DeliveryFailure extends Error {
  override name = 'DeliveryFailure';
  /** Where in the conversation with the mail server it failed; undefined where there was none. */
  readonly stage: Stage | undefined;
  readonly answer: Answer | undefined;
  /** Whether the mail server's refusal speaks of this one mailbox. */
  readonly isOfMailbox: boolean;

  constructor(reason: string, smtp?: { stage: Stage; answer: Answer; isOfMailbox: boolean }) {
    super(
      withoutAddresses(reason)
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .slice(0, MAX_CHARACTERS),
    );
    this.stage = smtp?.stage;
    this.answer = smtp?.answer;
    this.isOfMailbox = smtp?.isOfMailbox ?? false;
  }
}

const MAX_CHARACTERS = 300;
