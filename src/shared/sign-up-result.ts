import type { SignUpEntry, SignUpForm, SignUpRefusal } from './sign-up-rules.ts';

/** What a link in a mail is for. */
export type TokenPurpose = 'unsubscribe' | 'confirm' | 'renew';

/** The results that a visitor without JavaScript, or with a link from a mail, can see. */
export type PageOutcome =
  | { kind: 'signedUp'; form: SignUpForm }
  /** The mistake, and the form with the values that were typed; `token` proves that the form is ours. */
  | { kind: 'tryAgain'; entry: SignUpEntry; refusal: SignUpRefusal; token: string }
  /** The store could not be used; the button tries again. */
  | { kind: 'linkFailed'; purpose: TokenPurpose }
  /**
   * A page with one button, whose form posts to the page's own URL. `address` says whose link it is, most of it hidden:
   * an email may have been forwarded.
   */
  | { kind: TokenPurpose; address?: string | undefined }
  | { kind: 'unsubscribed' | 'confirmed' | 'renewed' }
  /** A link that isn't ours, or has no effect any more. */
  | { kind: 'badLink' };
