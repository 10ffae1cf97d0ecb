import type { SiteContent } from '#content/site-content.ts';
import { toReadableEmail } from '#content/text/readable-email.ts';
import { makeConsentWordings } from '#content/consent/consent-wordings.ts';
import type { SignUpCopy } from '#content/schemas/content-schema.ts';
import type { SignUpForm } from '#shared/sign-up-rules.ts';

export function getSignUpCopy(form: SignUpForm, { home }: SiteContent): SignUpCopy {
  return form === 'Founder' ? home.earlySignUp : home.footerSignUp;
}

/** Returns the copy that a form gets as props, because content/ isn't sent to browsers. */
export function getFormCopy(form: SignUpForm, content: SiteContent) {
  const { doneHeading, doneText } = getSignUpCopy(form, content);
  return {
    consent: makeConsentWordings(content.home)[form],
    join: content.pages.labels.join,
    email: toReadableEmail(content.agency.email),
    done: { heading: doneHeading, text: doneText },
  };
}
