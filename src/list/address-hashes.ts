import { createHmac } from 'node:crypto';

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
