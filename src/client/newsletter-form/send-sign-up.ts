import { type FormError, NEWSLETTER_PATH, NOTICES, type Problem, type SignUp } from '#shared/newsletter.ts';

/** Milliseconds after which an unanswered sign-up counts as failed, and the button works again. */
const TIMEOUT_MS = 20_000;

/**
 * Sends a sign-up. This site's own server says whether it was stored. Another host gets what section 7
 * of the specification says: its answer is not read, and any completed request counts as success.
 * @returns an error that the visitor can fix or retry; undefined once the sign-up is stored
 * @throws if only a plain post helps: the browser lacks an API, or hides the page's origin
 */
export function sendSignUp(
  signUp: SignUp,
  { endpoint, consent }: { endpoint: string; consent: string },
): Promise<FormError | undefined> {
  const isOurs = endpoint === NEWSLETTER_PATH;
  // This project's server may be on another host.
  const recordsConsent = new URL(endpoint, document.baseURI).pathname === NEWSLETTER_PATH;
  const response = fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    // Our servers record which wording was ticked; others get only the four fields. No-cors sends text/plain.
    body: JSON.stringify(recordsConsent ? { ...signUp, consent } : signUp),
    mode: isOurs ? 'same-origin' : 'no-cors',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return isOurs ? readAnswer(response) : readCompletion(response);
}

async function readAnswer(answer: Promise<Response>): Promise<FormError | undefined> {
  const response = await answer.catch(reportFailure);
  if (!('ok' in response)) return response;
  if (response.ok) return undefined;
  // The server can't see which page sent this. It answers a plain post with a form that it will accept.
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
