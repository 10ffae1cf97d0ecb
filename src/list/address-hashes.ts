import { createHmac } from 'node:crypto';

/**
 * One key for every spelling of a mailbox: most servers ignore case and the text after a plus sign. Gmail ignores dots
 * too, and googlemail.com is its other name (support.google.com/mail/answer/7436150 and /10313).
 * Used where spellings must not multiply mail to one person; it cannot be turned back into an address.
 */
export function mailboxHash(normalisedAddress: string, secret: string): string {
  const [local = '', domain = ''] = normalisedAddress.toLowerCase().split('@');
  const tag = local.indexOf('+', 1);
  const mailbox = tag === -1 ? local : local.slice(0, tag);
  const spelling = GMAIL_DOMAINS.has(domain) ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`;
  return keyedHash('mailbox', spelling, secret);
}

const GMAIL_DOMAINS = new Set(['gmail.com', 'googlemail.com']);

/** The hash that is kept of an erased address. */
export function erasedAddressHash(normalisedAddress: string, secret: string): string {
  return keyedHash('erased', normalisedAddress.toLowerCase(), secret);
}

function keyedHash(purpose: string, value: string, secret: string): string {
  return createHmac('sha256', secret).update(`${purpose}:${value}`).digest('base64url');
}
