import { RESUBMIT_BLOCK_MS } from '#shared/newsletter.ts';

/** The key in `sessionStorage` of the time at which a form was last sent, in epoch milliseconds. */
export const LAST_SUBMIT_KEY = 'founder_newsletter_last_submit';

/** Whether this browser session sent a form less than ten seconds ago. */
export function isTooSoon(): boolean {
  try {
    const last = Number(sessionStorage.getItem(LAST_SUBMIT_KEY));
    const age = Date.now() - last;
    return last > 0 && age >= 0 && age < RESUBMIT_BLOCK_MS;
  } catch {
    return false;
  }
}

export function rememberSubmit(): void {
  try {
    sessionStorage.setItem(LAST_SUBMIT_KEY, String(Date.now()));
  } catch {
    // If storage is blocked there is no pause; the sign-up itself succeeded.
  }
}
