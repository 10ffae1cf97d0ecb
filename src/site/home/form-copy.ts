import { home, pages } from 'virtual:content';
import { makeConsentWordings } from '#list/consent-wording.ts';
import type { SignUpCopy } from '#shared/content-schema.ts';
import type { SignUpForm } from '#shared/newsletter.ts';

export const SIGN_UP_COPY: Record<SignUpForm, SignUpCopy> = { Founder: home.earlySignUp, Footer: home.footerSignUp };

/** The words that a form gets as props, since content/ is not shipped to browsers. */
export function formCopy(form: SignUpForm) {
  const { doneHeading, doneText } = SIGN_UP_COPY[form];
  return {
    consent: makeConsentWordings(home)[form],
    join: pages.labels.join,
    done: { heading: doneHeading, text: doneText },
  };
}
