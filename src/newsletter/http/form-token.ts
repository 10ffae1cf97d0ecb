import { createHmac, timingSafeEqual } from 'node:crypto';

/** The hidden field of a form that the server sends back. */
export const TOKEN_FIELD = 'token';

/**
 * Makes the token for a form that the server sends back. A POST with the token comes from our own page, whatever the
 * browser or a proxy hides: another site can neither read the page nor get a token for its visitor's IP address.
 * @param client as createClientIpReader returns it
 * @param now milliseconds since 1970
 */
export function makeFormToken(secret: string, client: string, now: number): string {
  const expiry = String(now + LIFETIME_MS);
  return `${expiry}.${sign(secret, client, expiry)}`;
}

/** Whether a string is the token of a form that was sent to this client within the last day. */
export function isFormToken(token: string, secret: string, client: string, now: number): boolean {
  const [expiry = '', signature = ''] = token.split('.');
  const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(secret, client, expiry))];
  return actual.length === expected.length && timingSafeEqual(actual, expected) && Number(expiry) > now;
}

function sign(secret: string, client: string, expiry: string): string {
  return createHmac('sha256', secret).update(`form:${client}:${expiry}`).digest('base64url');
}

const LIFETIME_MS = 24 * 3600_000;
