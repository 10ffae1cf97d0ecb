import { createHmac, timingSafeEqual } from 'node:crypto';

export type TokenPurpose = 'unsubscribe' | 'confirm';

/** The pages that links in mails lead to; each address ends with a token. */
export const TOKEN_PATHS = {
  unsubscribe: '/newsletter/unsubscribe',
  confirm: '/newsletter/confirm',
} as const satisfies Record<TokenPurpose, string>;

/**
 * A token for a link in a mail: it names a subscriber by a random id, never by address, and is signed for one purpose.
 * @returns text that needs no escaping in a path
 */
export function signToken(purpose: TokenPurpose, subscriberId: string, secret: string): string {
  return `${subscriberId}.${signature(purpose, subscriberId, secret)}`;
}

/** @returns the subscriber's id, or undefined for a token that this receiver has not signed for this purpose */
export function readToken(purpose: TokenPurpose, token: string, secret: string): string | undefined {
  const [subscriberId = '', given = ''] = token.split('.');
  const expected = Buffer.from(signature(purpose, subscriberId, secret));
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? subscriberId : undefined;
}

function signature(purpose: TokenPurpose, subscriberId: string, secret: string): string {
  return createHmac('sha256', secret).update(`${purpose}:${subscriberId}`).digest('base64url').slice(0, 32);
}
