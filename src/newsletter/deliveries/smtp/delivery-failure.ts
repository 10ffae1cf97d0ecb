import { quoteBriefly } from '#shared/redact-emails.ts';
import type { SmtpResult } from './classify-failure.ts';

/** Why a delivery did not arrive. The reason is stored and shown, so it never contains an email address. */
export class DeliveryFailure extends Error {
  override name = 'DeliveryFailure';
  /** Undefined if there was no conversation with a mail server. */
  readonly result: SmtpResult | undefined;

  constructor(reason: string, result?: SmtpResult) {
    super(quoteBriefly(reason, MAX_CHARACTERS));
    this.result = result;
  }
}

const MAX_CHARACTERS = 300;
