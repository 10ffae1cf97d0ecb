import type { SignedUp } from './queue.ts';

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
export function composeNotice({ email, role, source }: SignedUp): ComposedMail {
  return { subject: 'New sign-up', text: `${[email, role || 'no role given', source].join(', ')}\n` };
}
