import { OPTIONAL_FIELD_NAMES } from '#shared/sign-up-fields.ts';
import type { DeliveryDetails, SignedUp } from '#store/new-delivery.ts';

/** A mail before it has a sender and a receiver. */
export type ComposedMail = {
  subject: string;
  unsubscribeUrl?: string;
  bulk?: BulkHeaders;
  text: string;
  html?: string;
};

/** The parts of the headers of a mail to many. */
export type BulkHeaders = {
  /** The list's own name (RFC 2919), such as `updates.example.org`. */
  listId: string;
  /** Names the update to providers that report complaints. */
  feedbackId: string;
  /** Answers go here. */
  replyTo: string;
  /** Takes mails that ask to be unsubscribed; none where nobody reads them (BOUNCE_MAILBOX). */
  unsubscribeAddress: string | undefined;
};

/** One line to the agency. It goes to nobody else, and so may say who signed up. */
export function composeNotice({ email, source, ...fields }: SignedUp): ComposedMail {
  const values = OPTIONAL_FIELD_NAMES.map((name) => (fields[name] ? `${name}: ${fields[name]}` : `no ${name} given`));
  return { subject: 'New sign-up', text: `${[email, ...values, `source: ${source}`].join(', ')}\n` };
}

/** One line to the agency when somebody leaves. */
export function composeLeavingNotice({ email }: DeliveryDetails['unsubscribe-notice']): ComposedMail {
  return { subject: 'Unsubscribed', text: `${email}\n` };
}
