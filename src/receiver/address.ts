import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';
import isEmail from 'validator/lib/isEmail.js';
import isFQDN from 'validator/lib/isFQDN.js';
import { EMAIL_MAX_LENGTH } from '#shared/newsletter.ts';

/**
 * The address that a mail goes to: as typed, with the domain in lower case and punycode.
 * @returns undefined where no mail server could deliver it (RFC 5321, sections 4.1.2 and 4.5.3.1)
 */
export function mailAddress(typed: string): string | undefined {
  const address = typed.trim().normalize('NFC');
  // A quoted local part is legal, but nobody has one, and it could change a mail's header.
  if (!address.isWellFormed() || !isEmail(address) || address.includes('"')) return undefined;
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1));
  const ascii = `${address.slice(0, at)}@${domain}`;
  // Punycode is longer than what was typed: the limits hold for what is sent.
  return isFQDN(domain) && Buffer.byteLength(ascii) <= EMAIL_MAX_LENGTH ? ascii : undefined;
}

/**
 * The form of an address that makes two sign-ups one person: whatever its letter case, it is one mailbox.
 * @returns undefined for what is no address
 */
export function normaliseAddress(typed: string): string | undefined {
  return mailAddress(typed)?.toLowerCase().normalize('NFC');
}

/** Finds a person by what somebody types, also one whose address was stored before today's rules. */
export function addressToFind(typed: string): string {
  return normaliseAddress(typed) ?? typed.trim().toLowerCase();
}

/**
 * One key for every spelling of a mailbox: most servers ignore what follows a plus sign.
 * Used where spellings must not multiply mail to one person; it cannot be turned back into an address.
 */
export function mailboxHash(normalisedAddress: string, secret: string): string {
  const [local = '', domain = ''] = normalisedAddress.toLowerCase().split('@');
  return keyedHash('mailbox', `${local.replace(/(?<=.)\+.*$/, '')}@${domain}`, secret);
}

/** What is kept of an erased address. */
export function erasedAddressHash(normalisedAddress: string, secret: string): string {
  return keyedHash('erased', normalisedAddress.toLowerCase(), secret);
}

function keyedHash(purpose: string, value: string, secret: string): string {
  return createHmac('sha256', secret).update(`${purpose}:${value}`).digest('base64url');
}
