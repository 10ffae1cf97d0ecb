import type { SignUpEntry, SignUpForm, SignUpRefusal } from './newsletter.ts';

/** What a link in a mail is for. */
export type TokenPurpose = 'unsubscribe' | 'confirm' | 'renew';

/** The outcomes that a visitor without JavaScript, or with a link from a mail, can meet. */
export type PageOutcome =
  | { kind: 'signedUp'; form: SignUpForm }
  /** The mistake, and the form with the values that were typed; `token` proves that the form is ours. */
  | { kind: 'tryAgain'; entry: SignUpEntry; refusal: SignUpRefusal; token: string }
  /** The store could not be used; the button tries again. */
  | { kind: 'linkFailed'; purpose: TokenPurpose }
  /** The pages of a purpose have one button: its form posts to the page's own URL. */
  | { kind: TokenPurpose | 'unsubscribed' | 'confirmed' | 'renewed' }
  /** A link that is not ours, or has nothing left to do. */
  | { kind: 'badLink' };
