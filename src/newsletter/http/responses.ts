import { setInterval } from 'node:timers/promises';
import type { Context } from 'hono';
import type { SignUpRejection } from '#shared/sign-up-rules.ts';

export type RejectionStatus = 400 | 403 | 413 | 415 | 429 | 503;

/** Sends a rejection to a program (RFC 9457). */
export function sendProblem(
  context: Context,
  status: RejectionStatus,
  { title, text, field }: SignUpRejection,
): Response {
  const body = { type: 'about:blank', title, status, detail: text, ...(field === undefined ? {} : { field }) };
  return context.body(JSON.stringify(body), status, { 'Content-Type': 'application/problem+json' });
}

/**
 * Sends a page for one person, whose URL may be secret. Only the browser may cache it: with `no-store`, Chromium and
 * Firefox show an error instead of the response to a form after Back.
 */
export function sendPage(context: Context, status: 200 | RejectionStatus, html: string): Response {
  context.header('Cache-Control', 'private, no-cache');
  context.header('X-Robots-Tag', 'noindex');
  return context.html(html, status);
}

/**
 * Settles when the work is done, rounded up to a multiple of 50 ms from its start, so that the response time doesn't
 * reveal what was done.
 */
export async function respondInSteps<T>(work: Promise<T>): Promise<T> {
  const ended = Promise.allSettled([work]);
  for await (const _ of setInterval(RESPONSE_STEP_MS)) if (await Promise.race([ended, Promise.resolve(false)])) break;
  return work;
}

const RESPONSE_STEP_MS = 50;
