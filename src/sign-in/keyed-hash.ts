import { createHmac, randomBytes } from 'node:crypto';

/** The purpose of a hash. Hashes for two purposes never match: a public passkey challenge must not work as a link. */
type Purpose =
  | 'link'
  | 'code'
  | 'asking-browser'
  | 'asking-network'
  | 'session'
  | 'passkey-sign-in'
  | 'new-passkey'
  | 'passkey-owner'
  | 'page';

/**
 * Hashes a credential, so that the database and its backups contain none that works.
 * @param secret the signing secret
 */
export function hashKeyed(purpose: Purpose, value: string, secret: string): string {
  return createHmac('sha256', secret).update(`desk-${purpose}:${value}`).digest('base64url');
}

/** @returns 256 random bits that need no escaping in a URL or a cookie */
export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}
