import { OPTIONAL_FIELD_NAMES } from '#shared/sign-up-fields.ts';
import type { DeliveryDetails, SignedUp } from './queue.ts';

/** A mail before it has a sender and a receiver. */
export type ComposedMail = {
  subject: string;
  text: string;
  html?: string;
  unsubscribeUrl?: string;
  /** Of a mail that goes to many: headers by which mail programs and providers know it. */
  bulk?: { listId: string; feedbackId: string; unsubscribeAddress: string; replyTo: string };
};

/** One line to the agency. It goes to nobody else, and so may say who signed up. */
export function composeNotice({ email, source, ...told }: SignedUp): ComposedMail {
  const values = OPTIONAL_FIELD_NAMES.map((name) => told[name] || `no ${name} given`);
  return { subject: 'New sign-up', text: `${[email, ...values, source].join(', ')}\n` };
}

/** One line to the agency when somebody leaves. */
export function composeLeavingNotice({ email }: DeliveryDetails['unsubscribe-notice']): ComposedMail {
  return { subject: 'Unsubscribed', text: `${email}\n` };
}
