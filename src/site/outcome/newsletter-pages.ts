import type { SignUpForm } from '#shared/newsletter.ts';
import type { SignUpEntry, SignUpRefusal } from '#shared/sign-up-entry.ts';
import type { TokenPurpose } from '#list/tokens.ts';

type Html = string | Promise<string>;

/** The pages that the receiver answers with; each is a whole HTML document, drawn by the site. */
export type NewsletterPages = {
  /** The confirmation panel of a form, for a browser without JavaScript. */
  signedUp: (form: SignUpForm) => Html;
  /** The mistake, and the form with the values that were typed. */
  signUpFailed: (failure: { refusal: SignUpRefusal; entry: SignUpEntry }) => Html;
  /** One button; its form posts to the page's own address. */
  unsubscribe: () => Html;
  unsubscribed: () => Html;
  /** One button; its form posts to the page's own address. */
  confirm: () => Html;
  confirmed: () => Html;
  /** A link that is not ours, or has nothing left to do. */
  badLink: () => Html;
  /** The store could not be used: says to try again, with the same button. */
  linkFailed: (purpose: TokenPurpose) => Html;
};
