import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';

/**
 * The form of an address that makes two sign-ups one person: trimmed, the domain in lower case and punycode.
 * @returns undefined where the domain is none, or where the address holds what could change a mail's header
 */
export function normaliseAddress(address: string): string | undefined {
  const trimmed = address.trim();
  if (UNSAFE_IN_A_HEADER.test(trimmed) || !trimmed.isWellFormed()) return undefined;
  const at = trimmed.lastIndexOf('@');
  const domain = domainToASCII(trimmed.slice(at + 1));
  if (at < 1 || !domain.includes('.')) return undefined;
  return `${trimmed.slice(0, at)}@${domain}`;
}

/** Marks that RFC 5322 gives a meaning of their own: a list of addresses must never pass for one. */
const UNSAFE_IN_A_HEADER = /[\p{Cc}\s<>()[\],;:\\"]/u;

/**
 * One key for every spelling of a mailbox: most servers ignore case, and what follows a plus sign.
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
