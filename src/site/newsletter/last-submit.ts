import { RESUBMIT_BLOCK_MS } from '#shared/newsletter.ts';

/** Of `sessionStorage`: when a form was last sent, in epoch milliseconds. */
export const LAST_SUBMIT_KEY = 'founder_newsletter_last_submit';

/** Whether this browser session sent a form less than ten seconds ago. @param now epoch milliseconds */
export function isTooSoon(now: number): boolean {
  const last = Number(read());
  return last > 0 && last <= now && now - last < RESUBMIT_BLOCK_MS;
}

/** @param now epoch milliseconds */
export function rememberSubmit(now: number): void {
  try {
    sessionStorage.setItem(LAST_SUBMIT_KEY, String(now));
  } catch {
    // With storage blocked the pause is not kept; the sign-up itself went through.
  }
}

function read(): string | null {
  try {
    return sessionStorage.getItem(LAST_SUBMIT_KEY);
  } catch {
    return null;
  }
}
