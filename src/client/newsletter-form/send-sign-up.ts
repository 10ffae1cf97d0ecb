import {
  findProblem,
  type FormError,
  makeSource,
  NEWSLETTER_PATH,
  NOTICES,
  type Problem,
  RESUBMIT_BLOCK_MS,
  type SignUpForm,
} from '#shared/sign-up-rules.ts';
import { optionalFields } from '#shared/sign-up-fields.ts';

/**
 * How long to wait for a response, in milliseconds: after that the sign-up counts as failed, and the button works
 * again.
 */
export const TIMEOUT_MS = 20_000;

/** The `sessionStorage` key for the time at which a form was last sent, in epoch milliseconds. */
export const LAST_SUBMIT_KEY = 'founder_newsletter_last_submit';

export type Target = { form: SignUpForm; endpoint: string; consentVersion: string };

/**
 * Checks whether a form may be sent, in the order of section 5 of the specification.
 * @returns why it may not, or undefined; `decoy` for a bot, which gets no message
 */
export function checkSubmit(fields: FormData): 'decoy' | FormError | undefined {
  if (fields.get('website')) return 'decoy';
  if (isTooSoon()) return NOTICES.tooFast;
  return findProblem({ email: readText(fields, 'email'), consent: fields.has('consent') });
}

/**
 * Sends a sign-up. This site's own server says whether it was stored. Another host gets what section 7 of the
 * specification says: its response isn't read, and any completed request counts as success.
 * @returns an error that the visitor can fix or retry; undefined once the sign-up is stored
 * @throws if only a plain post can help: the browser lacks an API, hides the page's origin, or an extension blocks
 * requests from scripts or responds to them itself
 */
export async function sendSignUp(
  fields: FormData,
  { form, endpoint, consentVersion }: Target,
): Promise<FormError | undefined> {
  const signUp = {
    email: readText(fields, 'email'),
    name: '',
    ...optionalFields((field) => readText(fields, field)),
    source: makeSource(form, window.location.search),
  };
  const isOurs = endpoint === NEWSLETTER_PATH;
  // This project's server may be on another host.
  const isOurKind = new URL(endpoint, document.baseURI).pathname === NEWSLETTER_PATH;
  const response = fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    // Our servers record which wording was agreed to; others get only the four fields. No-cors sends text/plain.
    body: JSON.stringify(isOurKind ? { ...signUp, consent: consentVersion } : signUp),
    mode: isOurs ? 'same-origin' : 'no-cors',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    // The visitor may close the tab.
    keepalive: true,
  });
  const error = await response.then(isOurs ? readResult : () => undefined, (reason: unknown) =>
    reportFailure(reason, isOurKind),
  );
  if (error) return error;
  rememberSubmit();
  document.dispatchEvent(new CustomEvent('newsletter:signed-up', { detail: { form } }));
  return undefined;
}

/** @throws if anything but our server responded, such as an extension or a network's filter */
async function readResult(response: Response): Promise<FormError | undefined> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && (body as { ok?: unknown } | undefined)?.ok === true) return undefined;
  if (response.status === 429) return NOTICES.tooMany;
  const error = new Error(`The newsletter responded with ${response.status}`);
  // A proxy responds like this too if the server is down, and its page would replace ours.
  if (response.status >= 500) return reportFailure(error, false);
  const problem = response.status === 400 ? readProblem(body) : undefined;
  // The server may not know which page sent this, for example. It responds to a plain post with a form to try again.
  if (problem === undefined) throw error;
  return problem;
}

/** @throws the reason, if the request failed although the browser is online and a plain post may get through */
function reportFailure(reason: unknown, canPostPlain: boolean): FormError {
  if (canPostPlain && reason instanceof TypeError && navigator.onLine) throw reason;
  console.error('The sign-up was not sent.', reason);
  return NOTICES.failed;
}

/** Reads the server's `application/problem+json` (RFC 9457), if it is about a field of the form. */
function readProblem(body: unknown): Problem | undefined {
  const { field, title, detail } = (body ?? {}) as Record<string, string>;
  return (field === 'email' || field === 'consent') && title && detail ? { field, title, text: detail } : undefined;
}

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

/** A field's text without the spaces around it. */
function readText(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
