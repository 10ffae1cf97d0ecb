import { NEWSLETTER_PATH, type SignUp } from '../../newsletter.ts';

/** Milliseconds after which an unanswered sign-up counts as failed, so that the button comes back. */
const PATIENCE_MS = 20_000;

/**
 * Sends a sign-up. This site's own receiver says whether it was stored; an address elsewhere is posted to as section 7
 * of the specification says: the answer is not read, and any request that completes counts.
 * @throws when the sign-up was not stored, or could not be sent
 */
export async function sendSignUp(
  signUp: SignUp,
  { endpoint, consent }: { endpoint: string; consent: string },
): Promise<void> {
  const ours = endpoint === NEWSLETTER_PATH;
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    // Our own receiver records which wording was agreed to; elsewhere go the four fields and nothing else.
    body: JSON.stringify(ours ? { ...signUp, consent } : signUp),
    mode: ours ? 'same-origin' : 'no-cors',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (ours && !response.ok) throw new Error(`The receiver answered ${response.status}`);
}
