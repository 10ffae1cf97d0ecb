import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';
import validator from 'validator';
import { toReadableEmail } from '#content/text/readable-email.ts';
import { trimInvisible } from '#shared/owner-email.ts';
import { EMAIL_MAX_LENGTH } from '#shared/sign-up-rules.ts';

/**
 * The email address that a mail goes to: as typed, with the domain in lower case and punycode.
 * @returns undefined if no mail server could deliver it (RFC 5321, sections 4.1.2 and 4.5.3.1)
 */
export function toDeliverableEmail(typed: string): string | undefined {
  const email = trimEmail(typed).normalize('NFC');
  if (HAS_ODD_CHARACTER.test(email) || !validator.isEmail(email)) return undefined;
  const at = email.lastIndexOf('@');
  const domain = domainToASCII(email.slice(at + 1));
  const ascii = `${email.slice(0, at)}@${domain}`;
  // Punycode is longer than what was typed, and the limits apply to what is sent.
  return validator.isFQDN(domain) && Buffer.byteLength(ascii) <= EMAIL_MAX_LENGTH ? ascii : undefined;
}

/**
 * Removes what is often pasted with an email address: spaces of every kind, invisible characters such as U+200B or
 * U+202A, and the `mailto:` of a link.
 */
export function trimEmail(typed: string): string {
  return trimInvisible(trimInvisible(typed).replace(/^mailto:/i, ''));
}

/**
 * The email address as people read it, with its domain in Unicode and lower case: "bücher", not "xn--bcher-kva".
 * @param typed a deliverable email address
 */
export function toDisplayEmail(typed: string): string {
  return toReadableEmail(trimEmail(typed).normalize('NFC'));
}

/**
 * A quoted local part is legal, but nobody has one, and it could change a mail's header. Invisible characters could
 * make one address look like another, or reverse the text after it.
 */
const HAS_ODD_CHARACTER = /["\p{C}\p{Z}]/u;

/**
 * The form in which two spellings of one email address are equal: case makes no difference.
 * @returns undefined if the text is no email address
 */
export function normaliseEmail(typed: string): string | undefined {
  return toDeliverableEmail(typed)?.toLowerCase().normalize('NFC');
}

/** Normalises a typed email address for a search; keeps a text that is none. */
export function normaliseForSearch(typed: string): string {
  return normaliseEmail(typed) ?? trimEmail(typed).toLowerCase();
}

/**
 * The mailbox of a normalised email address, in one spelling: most servers ignore the text after a plus sign. Gmail
 * ignores dots too, and googlemail.com is its other name (support.google.com/mail/answer/7436150 and /10313).
 */
export function toMailbox(normalisedEmail: string): string {
  const [local = '', domain = ''] = normalisedEmail.toLowerCase().split('@');
  const tag = local.indexOf('+', 1);
  const mailbox = tag === -1 ? local : local.slice(0, tag);
  return GMAIL_DOMAINS.has(domain) ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`;
}

const GMAIL_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/** Hashes a mailbox: one hash for all its spellings, by which links, sent mails and erasures refer to it. */
export function hashMailbox(normalisedEmail: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(`mailbox:${toMailbox(normalisedEmail)}`)
    .digest('base64url');
}
