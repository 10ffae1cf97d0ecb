/**
 * The rules of a newsletter sign-up, for the form and the server. They are written by hand, without a schema library,
 * because visitors download them too. All rules and messages come from the specification, sections 3, 5, 7 and 8.
 */

import type { OptionalFields } from './sign-up-fields.ts';

/** Where this site's own server receives sign-ups. */
export const NEWSLETTER_PATH = '/api/newsletter';

/** The pages that confirm a sign-up to a browser without JavaScript, by form. */
export const SIGNED_UP_PATHS = { Founder: '/newsletter/joined/founder', Footer: '/newsletter/joined/footer' } as const;

/** The two forms; `source` begins with the name. */
export const SIGN_UP_FORMS = ['Founder', 'Footer'] as const;
export type SignUpForm = (typeof SIGN_UP_FORMS)[number];

/**
 * Returns a form's id, with which the ids of its parts begin. No filter list has it: Fanboy's Annoyances hides
 * #footer-sign-up.
 */
export function nameForm(form: SignUpForm): string {
  return `join-${form.toLowerCase()}`;
}

export const CAMPAIGN_PARAMETERS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;

/** Non-space, non-@ characters, an @, more such characters, a dot, more such characters; written to match in linear time. */
export const EMAIL_PATTERN = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

/** The longest email address that SMTP can carry (RFC 5321, section 4.5.3.1.3, less the angle brackets). */
export const EMAIL_MAX_LENGTH = 254;

/** How long after a successful submit the same browser session may not submit again, in milliseconds. */
export const RESUBMIT_BLOCK_MS = 10_000;

/** The payload of section 3. `name` is always empty, since no form asks for it. */
export type SignUp = OptionalFields & {
  email: string;
  name: '';
  source: string;
};

/** A message for the visitor: `title` and `text` of the toast. */
export type Notice = { title: string; text: string };

export type Problem = Notice & { field: 'email' | 'consent' };

/** An error that a form shows: a problem with one field or with the whole form. */
export type FormError = Notice & { field?: Problem['field'] };

/** Why a sign-up was rejected; `field` is the payload's field, if a single one is to blame. */
export type SignUpRejection = Notice & { field?: string };

/** The values that a form sent, kept so that a failure page can show them again. */
export type SignUpEntry = OptionalFields & { form: SignUpForm; source: string; email: string; consent: boolean };

export const NOTICES = {
  tooFast: { title: 'Too fast', text: 'Please wait a moment before submitting again.' },
  /** For status 429, which an office behind one IP address may get. */
  tooMany: {
    title: 'Too many sign-ups',
    text: 'Many sign-ups have just come from your network. Please wait a minute and try again.',
  },
  /** Every failure after which the visitor can only try again. */
  failed: { title: 'Error', text: 'Something went wrong. Please try again.' },
  success: { title: 'Success!', text: "Thanks — you're in! Check your inbox." },
} as const satisfies Record<string, Notice>;

/** The button's label while a sign-up is being sent. */
export const JOINING_LABEL = 'Joining...';

const EMAIL_REQUIRED: Problem = { field: 'email', title: 'Email required', text: 'Please enter your email address.' };
export const EMAIL_INVALID: Problem = {
  field: 'email',
  title: 'Invalid email',
  text: 'Please enter a valid email address.',
};
export const CONSENT_REQUIRED: Problem = {
  field: 'consent',
  title: 'Consent required',
  text: 'Please consent to receiving updates to continue.',
};

/**
 * Finds the first problem with what a visitor entered, in the order of section 5; undefined if there is none.
 * @param entry the email as typed, and whether consent is ticked
 */
export function findProblem(entry: { email: string; consent: boolean }): Problem | undefined {
  const email = entry.email.trim();
  if (email === '') return EMAIL_REQUIRED;
  if (email.length > EMAIL_MAX_LENGTH || !EMAIL_PATTERN.test(email)) return EMAIL_INVALID;
  if (!entry.consent) return CONSENT_REQUIRED;
  return undefined;
}

/**
 * Makes the `source` of a sign-up: the form's name, then the campaign parameters of the page's URL.
 * @param form which form was sent
 * @param search the query of the page's URL, with or without its question mark
 * @returns for example `Footer | utm_source=linkedin&utm_medium=post`
 */
export function makeSource(form: SignUpForm, search: string): string {
  const campaign = readCampaign(search);
  return campaign === '' ? form : `${form} | ${campaign}`;
}

/** Splits a source into its parts; the campaign is empty if there is none. */
export function splitSource(source: string): { form: string; campaign: string } {
  const [form = '', ...campaign] = source.split(' | ');
  return { form, campaign: campaign.join(' | ') };
}

/** @returns the campaign parameters of a page's URL, such as `utm_source=linkedin&utm_medium=post`; '' if none */
function readCampaign(search: string): string {
  const query = new URLSearchParams(search);
  return CAMPAIGN_PARAMETERS.flatMap((name) => {
    const value = cleanCampaignValue(query.get(name));
    return value === '' ? [] : [`${name}=${value}`];
  }).join('&');
}

/** How many characters of a campaign value are kept: five values must fit the server's limit. */
const CAMPAIGN_VALUE_MAX_LENGTH = 200;

function cleanCampaignValue(value: string | null): string {
  const line = (value ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
  // By code points: half a character would be malformed text, which the server rejects.
  return [...line].slice(0, CAMPAIGN_VALUE_MAX_LENGTH).join('').trim();
}
