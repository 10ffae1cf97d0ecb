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
