import type { Context, Handler } from 'hono';
import { NOTICES } from '#shared/newsletter.ts';
import { clientAddress } from './client-address.ts';
import type { Receiver } from './open-receiver.ts';
import type { ReceiverPages } from './pages.ts';
import { rateLimit } from './rate-limit.ts';
import { type ReadSignUp, readFormSignUp, readJsonSignUp, type SignUpRefusal } from './sign-up-payload.ts';

/** The receiver's handlers, to be put into the list of routes. */
export type ReceiverHandlers = {
  /** POST NEWSLETTER_PATH */
  signUp: Handler;
  /** OPTIONS NEWSLETTER_PATH: a browser asks whether another site's page may post here. */
  signUpPreflight: Handler;
  /** GET TOKEN_PATHS.unsubscribe/:token */
  unsubscribePage: Handler;
  /** POST TOKEN_PATHS.unsubscribe/:token; also the one-click call of RFC 8058 */
  unsubscribe: Handler;
  /** GET TOKEN_PATHS.confirm/:token */
  confirmPage: Handler;
  /** POST TOKEN_PATHS.confirm/:token */
  confirm: Handler;
  /** GET /healthz: whether a sign-up could be stored, and nothing that anybody could learn from. */
  health: Handler;
};

/**
 * @param log takes one line without any address of a person
 */
export function receiverHandlers(
  receiver: Receiver,
  pages: ReceiverPages,
  log: (line: string) => void,
): ReceiverHandlers {
  const secondsToWait = rateLimit(SIGN_UP_LIMIT);
  return {
    signUp: async (context) => {
      const wantsPage = wantsHtml(context);
      const origin = readOrigin(context, receiver);
      if (!origin.isAllowed) return problem(context, 403, { title: 'Forbidden', text: 'This page may not post here.' });
      if (origin.value) allowOrigin(context, origin.value);

      const wait = secondsToWait(clientAddress(context, receiver.env.TRUSTED_PROXY_HEADER), Date.now());
      if (wait > 0) context.header('Retry-After', String(wait));
      const text = await readBody(context, MAX_BODY_BYTES);
      if (text === undefined) return problem(context, 413, { ...NOTICES.failed, text: 'Expected at most 8 kB.' });
      const read = await readSignUp(context, text, receiver);
      if (read === undefined) {
        return problem(context, 415, { ...NOTICES.failed, text: 'Expected application/json or a form.' });
      }

      const failed = async (status: 400 | 429 | 503, refusal: SignUpRefusal) =>
        wantsPage
          ? page(context, status, await pages.signUpFailed({ refusal, entry: read.entry }))
          : problem(context, status, refusal);
      if (wait > 0) return failed(429, NOTICES.tooFast);
      if (read.outcome === 'refused') return failed(400, read.refusal);
      const notStored = (error: unknown) => {
        log(`A sign-up could not be stored (${errorCode(error)}); its sender was told.`);
        return failed(503, NOTICES.failed);
      };
      if (read.outcome === 'unavailable') return notStored(read.cause);
      if (read.outcome === 'checked') {
        try {
          await receiver.signUp(read.signUp);
        } catch (error) {
          return notStored(error);
        }
      }
      return wantsPage ? page(context, 200, await pages.signedUp(read.entry.form)) : context.json({ ok: true });
    },

    signUpPreflight: (context) => {
      const origin = readOrigin(context, receiver);
      if (!origin.isAllowed || !origin.value) return context.body(null, 403);
      allowOrigin(context, origin.value);
      context.header('Access-Control-Allow-Methods', 'POST');
      context.header('Access-Control-Allow-Headers', 'Content-Type');
      context.header('Access-Control-Max-Age', '86400');
      return context.body(null, 204);
    },

    unsubscribePage: async (context) =>
      receiver.isToken('unsubscribe', token(context))
        ? page(context, 200, await pages.unsubscribe())
        : page(context, 400, await pages.badLink()),

    unsubscribe: async (context) =>
      (await receiver.unsubscribe(token(context)))
        ? page(context, 200, await pages.unsubscribed())
        : page(context, 400, await pages.badLink()),

    confirmPage: async (context) =>
      receiver.isToken('confirm', token(context))
        ? page(context, 200, await pages.confirm())
        : page(context, 400, await pages.badLink()),

    confirm: async (context) =>
      (await receiver.confirm(token(context)))
        ? page(context, 200, await pages.confirmed())
        : page(context, 400, await pages.badLink()),

    health: async (context) => {
      context.header('Cache-Control', 'no-store');
      try {
        await receiver.checkStore();
        return context.json({ store: 'reachable' });
      } catch (error) {
        log(`The store cannot be reached (${errorCode(error)}).`);
        return context.json({ store: 'unreachable' }, 503);
      }
    },
  };
}

/** Enough for an office behind one address, too few to be of use to a flood. */
const SIGN_UP_LIMIT = { atOnce: 20, intervalMs: 30_000 };

const MAX_BODY_BYTES = 8192;

function wantsHtml(context: Context): boolean {
  return mediaType(context) === FORM_TYPE && (context.req.header('accept') ?? '').includes('text/html');
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

function mediaType(context: Context): string {
  return (context.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** A browser names the page's origin in every cross-origin post; who sends none is no other site's page. */
function readOrigin(context: Context, { env }: Receiver): { isAllowed: boolean; value?: string } {
  const value = context.req.header('origin');
  if (value === undefined) return { isAllowed: true };
  // A page that hides its referrer posts the origin "null", even to itself.
  if (context.req.header('sec-fetch-site') === 'same-origin') return { isAllowed: true };
  const isOwn = URL.parse(value)?.host === context.req.header('host');
  return { isAllowed: isOwn || value === env.SITE_URL || env.ALLOWED_ORIGINS.includes(value), value };
}

function allowOrigin(context: Context, origin: string): void {
  context.header('Access-Control-Allow-Origin', origin);
  // Without this a no-cors request of that page would count as failed, though it was stored.
  context.header('Cross-Origin-Resource-Policy', 'cross-origin');
  context.header('Vary', 'Origin');
}

/** @returns undefined when the body is longer than `mostBytes`; it is then not read to its end */
async function readBody(context: Context, mostBytes: number): Promise<string | undefined> {
  const length = context.req.header('content-length');
  if (length !== undefined) return Number(length) > mostBytes ? undefined : context.req.text();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of context.req.raw.body ?? []) {
    size += chunk.length;
    if (size > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** @returns undefined for a media type that is not taken */
async function readSignUp(context: Context, text: string, receiver: Receiver): Promise<ReadSignUp | undefined> {
  switch (mediaType(context)) {
    // A no-cors request can only send its JSON as text/plain.
    case 'application/json':
    case 'text/plain':
      return readJsonSignUp(text, receiver.currentWordings, receiver.findWording);
    case FORM_TYPE:
      return readFormSignUp(text, searchOfPage(context), receiver.findWording);
    default:
      return undefined;
  }
}

/** The query of our own page that a post came from: without JavaScript nothing else knows the campaign. */
function searchOfPage(context: Context): string {
  const referer = URL.parse(context.req.header('referer') ?? '');
  return referer !== null && referer.host === context.req.header('host') ? referer.search : '';
}

/** RFC 9457. */
function problem(context: Context, status: 400 | 403 | 413 | 415 | 429 | 503, refusal: SignUpRefusal): Response {
  const { title, text, field } = refusal;
  const body = { type: 'about:blank', title, status, detail: text, ...(field === undefined ? {} : { field }) };
  return context.body(JSON.stringify(body), status, { 'Content-Type': 'application/problem+json' });
}

function page(context: Context, status: 200 | 400 | 429 | 503, html: string): Response {
  // What is answered here is meant for one person, and its address may be a key.
  context.header('Cache-Control', 'no-store');
  context.header('Referrer-Policy', 'no-referrer');
  context.header('X-Robots-Tag', 'noindex');
  return context.html(html, status);
}

function token(context: Context): string {
  return context.req.param('token') ?? '';
}

/** Never the message: a database's may quote the row. */
function errorCode(error: unknown): string {
  const { code, errcode, name } = error as { code?: string; errcode?: number; name?: string };
  return [code ?? name ?? 'unknown', errcode].filter(Boolean).join(' ');
}
