import { isUtf8 } from 'node:buffer';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Handler } from 'hono';
import { countDecoy } from '../subscribers/decoys.ts';
import { isWordingOnRecord } from '../subscribers/consent-wording.ts';
import { subscribe } from '../subscribers/subscribe.ts';
import {
  CONSENT_REQUIRED,
  NOTICES,
  SIGNED_UP_PATHS,
  type SignUpEntry,
  type SignUpRejection,
} from '#shared/sign-up-rules.ts';
import { respondInSteps, type RejectionStatus, sendPage, sendProblem } from './responses.ts';
import { isFormToken, makeFormToken, TOKEN_FIELD } from './form-token.ts';
import { createClientIpReader } from './client-ip.ts';
import { describeStoreFailure } from '../database/explain-store-failure.ts';
import type { RenderOutcome } from './link-handlers.ts';
import type { Newsletter } from '../open-newsletter.ts';
import { isOwnHost, readOrigin } from './origin.ts';
import { createSignUpLimit } from './rate-limit.ts';
import { readEntry, type ReadSignUp, readFormSignUp, readJsonSignUp } from './sign-up-payload.ts';

/** Handles POST NEWSLETTER_PATH. */
export function createSignUpHandler(
  newsletter: Newsletter,
  renderOutcome: RenderOutcome,
  log: (line: string) => void,
): Handler<{ Bindings: HttpBindings }> {
  const readClientIp = createClientIpReader(newsletter.env.TRUSTED_PROXY_HEADER, log);
  const limitSignUps = createSignUpLimit();
  const logOrigin = createOriginLog(log);
  return async (context) => {
    const client = readClientIp(context.env.incoming);
    const respondWithRejection = async (
      status: RejectionStatus,
      rejection: SignUpRejection,
      entry: SignUpEntry = readEntry({}),
    ): Promise<Response> => {
      if (!wantsHtml(context)) return sendProblem(context, status, rejection);
      const token = makeFormToken(newsletter.secret, client, Date.now());
      return sendPage(context, status, await renderOutcome({ kind: 'tryAgain', rejection, entry, token }));
    };
    const origin = readOrigin(context, newsletter.env);
    if (origin.from !== 'ours') logOrigin(origin.value);
    if (origin.from === 'foreign' || (origin.from === 'unknown' && !wantsHtml(context))) {
      return respondWithRejection(403, FOREIGN);
    }
    // Without this header, a no-cors request from an allowed page fails in the browser even though the sign-up was stored.
    if (origin.value) context.header('Cross-Origin-Resource-Policy', 'cross-origin');

    const wait = limitSignUps(client);
    if (wait > 0) {
      context.header('Retry-After', String(wait));
      if (!wantsHtml(context)) return sendProblem(context, 429, NOTICES.tooMany);
    }
    const body = await readBody(context, MAX_BODY_BYTES).catch(() => undefined);
    if (body === undefined)
      return respondWithRejection(413, { ...NOTICES.failed, text: 'That was too long: at most 8 kB are accepted.' });
    // Decoding replaces bytes that aren't UTF-8, so a wrong email address would be stored.
    if (!isUtf8(body)) return respondWithRejection(400, { ...NOTICES.failed, text: 'Expected UTF-8.' });
    const text = body.toString();
    const result = readSignUp(context, text, newsletter);
    if (result === undefined) {
      return sendProblem(context, 415, { ...NOTICES.failed, text: 'Expected application/json or a form.' });
    }

    // Over the limit, the form is read just to show it again; the store isn't queried.
    if (wait > 0) return respondWithRejection(429, NOTICES.tooMany, result.entry);
    if (origin.from === 'unknown' && !isOurForm(text, newsletter.secret, client)) {
      return respondWithRejection(403, UNKNOWN, result.entry);
    }
    if (result.outcome === 'rejected') return respondWithRejection(400, result.rejection, result.entry);
    const rejection = await respondInSteps(storeSignUp(context, newsletter, result, log));
    if (rejection !== undefined) return respondWithRejection(rejection.status, rejection, result.entry);
    return wantsHtml(context) ? context.redirect(SIGNED_UP_PATHS[result.entry.form], 303) : context.json({ ok: true });
  };
}

const FOREIGN = {
  ...NOTICES.failed,
  text: 'The page that you came from cannot sign you up. Please try again here.',
};

const UNKNOWN = {
  ...NOTICES.failed,
  text: 'Your browser or your network hides which page you came from. Please try again here.',
};

/** Whether a form carries a token from a page that this server sent. */
function isOurForm(text: string, secret: string, client: string): boolean {
  return isFormToken(new URLSearchParams(text).get(TOKEN_FIELD) ?? '', secret, client, Date.now());
}

/** Stores a sign-up, or counts a filled-in decoy. @returns why it could not be stored */
async function storeSignUp(
  context: Context,
  { store, secret, env }: Newsletter,
  result: ReadSignUp,
  log: (line: string) => void,
): Promise<StoreRejection | undefined> {
  try {
    if (result.outcome === 'decoy') await countDecoy(store, Date.now());
    if (result.outcome !== 'checked') return undefined;
    const { signUp } = result;
    if (signUp.wordingVersion !== null && !(await isWordingOnRecord(store.db, signUp.wordingVersion))) {
      // A page that sends text/plain can't read the response, so the sign-up would be lost.
      if (readMediaType(context) !== UNREAD_TYPE) return { status: 400, ...CONSENT_REQUIRED };
      signUp.wordingVersion = null;
    }
    await subscribe(store, signUp, { env, secret }, Date.now());
    return undefined;
  } catch (error) {
    log(`POST sign-up: 503, the store failed (${describeStoreFailure(error, env)}).`);
    return { status: 503, ...NOTICES.failed };
  }
}

type StoreRejection = SignUpRejection & { status: 400 | 503 };

/** Logs each rejected origin once: it may be the owner's own, for example the one without www. */
function createOriginLog(log: (line: string) => void): (origin: string | undefined) => void {
  const logged = new Set<string>();
  return (value) => {
    const origin = URL.parse(value ?? '')?.origin ?? 'null';
    if (logged.has(origin) || logged.size >= MAX_LOGGED_ORIGINS || origin.length > MAX_ORIGIN_LENGTH) return;
    logged.add(origin);
    log(
      `POST sign-up: 403, sent from a page of ${origin}, which is neither SITE_URL nor in ALLOWED_ORIGINS. If it is yours, set SITE_URL, and let your proxy pass the Host header on.`,
    );
  };
}

/** A flood of made-up origins must not fill the log. */
const MAX_LOGGED_ORIGINS = 20;

/** A host name has at most 253 characters. */
const MAX_ORIGIN_LENGTH = 300;

const MAX_BODY_BYTES = 8192;

function wantsHtml(context: Context): boolean {
  return readMediaType(context) === FORM_TYPE && (context.req.header('accept') ?? '').includes('text/html');
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The type of a no-cors request from a form on another site, which can't read the response. */
const UNREAD_TYPE = 'text/plain';

function readMediaType(context: Context): string {
  return (context.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * @returns undefined if the body is longer than `maxBytes`; the rest isn't read
 * @throws if the connection breaks
 */
async function readBody(context: Context, maxBytes: number): Promise<Buffer | undefined> {
  const length = context.req.header('content-length');
  if (length !== undefined) return Number(length) > maxBytes ? undefined : Buffer.from(await context.req.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of context.req.raw.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @returns undefined for a media type that isn't accepted */
function readSignUp(context: Context, text: string, newsletter: Newsletter): ReadSignUp | undefined {
  switch (readMediaType(context)) {
    case UNREAD_TYPE:
      return readJsonSignUp(text, undefined);
    case 'application/json': {
      const isElsewhere = newsletter.env.ALLOWED_ORIGINS.includes(context.req.header('origin') ?? '');
      return readJsonSignUp(text, isElsewhere ? undefined : newsletter.currentWordings);
    }
    case FORM_TYPE:
      return readFormSignUp(text, readPageQuery(context, newsletter));
    default:
      return undefined;
  }
}

/** The query of our own page that a POST came from: without JavaScript, only this identifies the campaign. */
function readPageQuery(context: Context, { env }: Newsletter): string {
  const referer = URL.parse(context.req.header('referer') ?? '');
  return referer !== null && isOwnHost(referer.host, context, env) ? referer.search : '';
}
