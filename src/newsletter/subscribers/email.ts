import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';
import validator from 'validator';
import { toReadableEmail } from '#content/text/readable-email.ts';
import { trimInvisible } from '#shared/owner-email.ts';
import { EMAIL_MAX_LENGTH } from '#shared/sign-up-rules.ts';

/**
 * Converts an email address to the one to send to: as typed, but with the domain in lower case and punycode.
 * @returns undefined if no mail server could deliver it (RFC 5321, sections 4.1.2 and 4.5.3.1)
 */
export function toDeliverableEmail(typed: string): string | undefined {
  const email = trimEmail(typed).normalize('NFC');
  if (HAS_ODD_CHARACTER.test(email) || !validator.isEmail(email)) return undefined;
  const at = email.lastIndexOf('@');
  const domain = domainToASCII(email.slice(at + 1));
  const ascii = `${email.slice(0, at)}@${domain}`;
  // Punycode is longer than what was typed, and the limits apply to the address that is sent.
  return validator.isFQDN(domain) && Buffer.byteLength(ascii) <= EMAIL_MAX_LENGTH ? ascii : undefined;
}

/**
 * Removes what is often pasted along with an email address: whitespace, invisible characters such as U+200B or U+202A,
 * and a link's `mailto:`.
 */
export function trimEmail(typed: string): string {
  return trimInvisible(trimInvisible(typed).replace(/^mailto:/i, ''));
}

/**
 * Converts an email address to the form that people read, with its domain in Unicode and lower case: "bücher", not
 * "xn--bcher-kva".
 * @param typed a deliverable email address
 */
export function toDisplayEmail(typed: string): string {
  return toReadableEmail(trimEmail(typed).normalize('NFC'));
}

/**
 * A quoted local part is legal, but hardly anybody has one, and it could alter an email's headers. Invisible characters
 * could make one address look like another, or reverse the text that follows. Curly quotation marks were pasted along with it.
 */
const HAS_ODD_CHARACTER = /["\p{C}\p{Z}\p{Pi}\p{Pf}]/u;

/**
 * Converts an email address to a form in which spellings that differ only in case are equal.
 * @returns undefined if the text isn't an email address
 */
export function normaliseEmail(typed: string): string | undefined {
  return toDeliverableEmail(typed)?.toLowerCase().normalize('NFC');
}

/** Normalises an email address that was typed into a search; returns other text unchanged. */
export function normaliseForSearch(typed: string): string {
  return normaliseEmail(typed) ?? trimEmail(typed).toLowerCase();
}

/**
 * Finds the canonical spelling of a mailbox: most servers ignore the text after a plus sign. Gmail and Proton also ignore
 * dots and other characters (support.google.com/mail/answer/7436150, proton.me/support/change-username). Some providers give one mailbox several domains
 * (support.google.com/mail/answer/10313, support.apple.com/118230, proton.me/support/addresses-and-aliases).
 */
export function toMailbox(normalisedEmail: string): string {
  const [local = '', domain = ''] = normalisedEmail.toLowerCase().split('@');
  const tag = local.indexOf('+', 1);
  const mailbox = tag === -1 ? local : local.slice(0, tag);
  const main = OTHER_DOMAINS.get(domain) ?? domain;
  const ignored = IGNORED_CHARACTERS.get(main);
  return `${ignored === undefined ? mailbox : mailbox.replaceAll(ignored, '')}@${main}`;
}

const IGNORED_CHARACTERS = new Map([
  ['gmail.com', /\./g],
  ['proton.me', /[._-]/g],
]);

/** Domains whose names are reserved for the person who has the same name at the main one. */
const OTHER_DOMAINS = new Map([
  ['googlemail.com', 'gmail.com'],
  ['me.com', 'icloud.com'],
  ['mac.com', 'icloud.com'],
  ['protonmail.com', 'proton.me'],
  ['protonmail.ch', 'proton.me'],
  ['pm.me', 'proton.me'],
]);

/** Hashes a mailbox. All its spellings have the same hash, by which links, sent emails and erasures refer to it. */
export function hashMailbox(normalisedEmail: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(`mailbox:${toMailbox(normalisedEmail)}`)
    .digest('base64url');
}
