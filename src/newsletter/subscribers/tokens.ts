import { createHmac, timingSafeEqual } from 'node:crypto';
import { toIso } from '../database/iso-time.ts';
import type { TokenPurpose } from '#shared/sign-up-result.ts';

/** The paths of the pages to which links in emails and the undo button lead; a token follows each. */
export const TOKEN_PATHS = {
  unsubscribe: '/newsletter/unsubscribe',
  resubscribe: '/newsletter/resubscribe',
  confirm: '/newsletter/confirm',
  renew: '/newsletter/renew',
  newAddress: '/newsletter/new-address',
} as const satisfies Record<TokenPurpose, string>;

/**
 * The mailbox to which a link was sent. `queuedAt` (ISO 8601) is set in two kinds of links: in one that confirms an
 * address, it is when the email was queued; in the button that undoes an unsubscription, when the person unsubscribed.
 */
export type Link = { mailboxHash: string; queuedAt?: string };

/**
 * Makes a token for a link in an email, signed for one purpose. It identifies the mailbox by a keyed hash, not a row of
 * the list, so an old link works for whoever has the mailbox now, even if they were erased and signed up again.
 * @param mailboxHash as `hashMailbox` returns it with this secret
 * @param queuedAt the time that it contains, if any (see `Link`)
 * @returns a string that needs no escaping in a path
 */
export function signToken(purpose: TokenPurpose, mailboxHash: string, secret: string, queuedAt?: string): string {
  const claim = queuedAt === undefined ? mailboxHash : `${mailboxHash}.${Date.parse(queuedAt)}`;
  return `${claim}.${sign(purpose, claim, secret)}`;
}

/** @returns undefined if the token wasn't signed with this secret for this purpose */
export function readToken(purpose: TokenPurpose, token: string, secret: string): Link | undefined {
  const end = token.lastIndexOf('.');
  const claim = token.slice(0, Math.max(end, 0));
  const expected = Buffer.from(sign(purpose, claim, secret));
  const actual = Buffer.from(token.slice(end + 1));
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
  const [mailboxHash = '', time] = claim.split('.');
  return time === undefined ? { mailboxHash } : { mailboxHash, queuedAt: toIso(Number(time)) };
}

function sign(purpose: TokenPurpose, claim: string, secret: string): string {
  return createHmac('sha256', secret).update(`${purpose}:${claim}`).digest('base64url').slice(0, 32);
}
