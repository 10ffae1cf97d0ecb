import { setInterval } from 'node:timers/promises';
import type { Context } from 'hono';
import type { SignUpRefusal } from '#shared/newsletter.ts';

export type RefusalStatus = 400 | 403 | 413 | 415 | 429 | 503;

/** A refusal for a program (RFC 9457). */
export function sendProblem(context: Context, status: RefusalStatus, { title, text, field }: SignUpRefusal): Response {
  const body = { type: 'about:blank', title, status, detail: text, ...(field === undefined ? {} : { field }) };
  return context.body(JSON.stringify(body), status, { 'Content-Type': 'application/problem+json' });
}

/**
 * Sends a page for one person, at an address that may be a key. Only the browser may keep it: with `no-store`, Chromium
 * and Firefox show an error instead of the answer to a form after Back.
 */
export function sendPage(context: Context, status: 200 | RefusalStatus, html: string): Response {
  context.header('Cache-Control', 'private, no-cache');
  context.header('X-Robots-Tag', 'noindex');
  return context.html(html, status);
}

/**
 * Settles at the first multiple of 50 ms after the call at which the work is done: the time of an answer does not
 * reveal the work. The clock starts with the work, so that its length does not shift the steps.
 */
export async function answerInSteps<T>(work: Promise<T>): Promise<T> {
  const ended = Promise.allSettled([work]);
  for await (const _ of setInterval(ANSWER_STEP_MS)) if (await Promise.race([ended, Promise.resolve(false)])) break;
  return work;
}

const ANSWER_STEP_MS = 50;
