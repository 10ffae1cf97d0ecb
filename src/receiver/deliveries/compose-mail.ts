import type { SignedUp } from './queue.ts';

/** A mail before it has a sender and a receiver. */
export type ComposedMail = {
  subject: string;
  text: string;
  html?: string;
  unsubscribeUrl?: string;
  bulk?: BulkHeaders;
};

/** What the headers of a mail to many are made of. */
export type BulkHeaders = {
  /** The list's own name (RFC 2919), such as `updates.example.org`. */
  listId: string;
  /** Names the update to providers that report complaints. */
  feedbackId: string;
  /** Answers go here, and so does a mail that asks to be unsubscribed. */
  replyTo: string;
};

/** One line to the agency. It goes to nobody else, and so may say who signed up. */
export function composeNotice({ email, role, source }: SignedUp): ComposedMail {
  return { subject: 'New sign-up', text: `${[email, role || 'no role given', source].join(', ')}\n` };
}
