import { type FormError, NEWSLETTER_PATH, NOTICES, type Problem, type SignUp } from '#shared/newsletter.ts';

/** Milliseconds after which an unanswered sign-up counts as failed, so that the button comes back. */
const TIMEOUT_MS = 20_000;

/**
 * Sends a sign-up. This site's own server says whether it was stored; a URL elsewhere is posted to as section 7
 * of the specification says: the answer is not read, and any request that completes counts.
 * @returns what the visitor can fix or try again; undefined once the sign-up is stored
 * @throws if only a plain post helps: the browser lacks something, or hides which page this is
 */
export function sendSignUp(
  signUp: SignUp,
  { endpoint, consent }: { endpoint: string; consent: string },
): Promise<FormError | undefined> {
  const ours = endpoint === NEWSLETTER_PATH;
  // Also this project's server on another host.
  const recordsConsent = new URL(endpoint, document.baseURI).pathname === NEWSLETTER_PATH;
  const response = fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    // Our servers record which wording was shown and ticked; others get the four fields only. No-cors is text/plain.
    body: JSON.stringify(recordsConsent ? { ...signUp, consent } : signUp),
    mode: ours ? 'same-origin' : 'no-cors',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return ours ? readAnswer(response) : readCompletion(response);
}

async function readAnswer(answer: Promise<Response>): Promise<FormError | undefined> {
  const response = await answer.catch(reportFailure);
  if (!('ok' in response)) return response;
  if (response.ok) return undefined;
  // The server can't see which page sent this; it answers a plain post with a form that it takes.
  if (response.status === 403) throw new Error('The newsletter answered 403');
  if (response.status === 429) return NOTICES.tooMany;
  const problem = response.status === 400 ? await response.json().then(readProblem, () => undefined) : undefined;
  return problem ?? reportFailure(new Error(`The newsletter answered ${response.status}`));
}

function readCompletion(answer: Promise<Response>): Promise<FormError | undefined> {
  return answer.then(() => undefined, reportFailure);
}

function reportFailure(error: unknown): FormError {
  console.error('The sign-up was not sent.', error);
  return NOTICES.failed;
}

/** Reads the server's `application/problem+json` (RFC 9457), if it is about a field of the form. */
function readProblem({ field, title, detail }: Record<string, string>): Problem | undefined {
  return (field === 'email' || field === 'consent') && title && detail ? { field, title, text: detail } : undefined;
}
