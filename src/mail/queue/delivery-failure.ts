import { quoteBriefly } from '#shared/without-addresses.ts';
import type { SmtpEnd } from './consequence.ts';

/** Why a delivery did not arrive. The reason is kept and shown, so it never holds an address. */
export class DeliveryFailure extends Error {
  override name = 'DeliveryFailure';
  /** Undefined where there was no conversation with a mail server. */
  readonly end: SmtpEnd | undefined;

  constructor(reason: string, end?: SmtpEnd) {
    super(quoteBriefly(reason, MAX_CHARACTERS));
    this.end = end;
  }
}

const MAX_CHARACTERS = 300;
