import type { SignUpEntry, SignUpForm, SignUpRejection } from './sign-up-rules.ts';

/** The purpose of a link in an email; `resubscribe` is the button that undoes an unsubscription. */
export type TokenPurpose = 'unsubscribe' | 'resubscribe' | 'confirm' | 'renew' | 'newAddress';

/** The results that a visitor can see without JavaScript or after following a link in an email. */
export type PageOutcome =
  | { kind: 'signedUp'; form: SignUpForm }
  /** The error, and the form with the values that were typed; `token` proves that the form is ours. */
  | { kind: 'tryAgain'; entry: SignUpEntry; rejection: SignUpRejection; token: string }
  /** The store could not be used; the button tries again. */
  | { kind: 'linkFailed'; purpose: TokenPurpose }
  /**
   * A page with one button, whose form posts to the page's own URL. `address` says whose link it is, mostly masked,
   * since the email may have been forwarded.
   */
  | { kind: TokenPurpose; address?: string | undefined }
  /** `undo` is the URL that the button for resubscribing after a mistake posts to. */
  | { kind: 'unsubscribed'; undo?: string | undefined }
  | { kind: 'confirmed' | 'renewed' | 'addressChanged' }
  /** A link that isn't ours, or no longer works. */
  | { kind: 'badLink' };
