import type { Context, Handler } from 'hono';
import { NOTICES } from '#shared/newsletter.ts';
import { page, problem } from './answers.ts';
import type { ClientAddress } from './client-address.ts';
import { describeError } from './describe-error.ts';
import type { Receiver } from './open-receiver.ts';
import { allowOrigin, isOwnHost, readOrigin } from './origin.ts';
import type { ReceiverPages } from './pages.ts';
import { rateLimit } from './rate-limit.ts';
import {
  type FindWording,
  type ReadSignUp,
  readFormSignUp,
  readJsonSignUp,
  type SignUpRefusal,
} from './sign-up-payload.ts';

/** POST NEWSLETTER_PATH. */
export function signUpHandler(
  receiver: Receiver,
  pages: ReceiverPages,
  clientAddress: ClientAddress,
  log: (line: string) => void,
): Handler {
  const secondsToWait = rateLimit(SIGN_UP_LIMIT);
  return async (context) => {
    const origin = readOrigin(context, receiver.env);
    if (!origin.isAllowed) return problem(context, 403, { title: 'Forbidden', text: 'This page may not post here.' });
    if (origin.value) allowOrigin(context, origin.value);

    const wait = secondsToWait(clientAddress(context), Date.now());
    if (wait > 0) context.header('Retry-After', String(wait));
    const text = await readBody(context, MAX_BODY_BYTES);
    if (text === undefined) return problem(context, 413, { ...NOTICES.failed, text: 'Expected at most 8 kB.' });
    // Past the limit only the form is read, to be shown again; the store is asked nothing.
    const read = await readSignUp(context, text, receiver, wait > 0 ? findNothing : receiver.findWording);
    if (read === undefined) {
      return problem(context, 415, { ...NOTICES.failed, text: 'Expected application/json or a form.' });
    }

    const failed = async (status: 400 | 429 | 503, refusal: SignUpRefusal) =>
      wantsHtml(context)
        ? page(context, status, await pages.signUpFailed({ refusal, entry: read.entry }))
        : problem(context, status, refusal);
    const notStored = (error: unknown) => {
      log(`POST sign-up: 503, the store failed (${describeError(error)}).`);
      return failed(503, NOTICES.failed);
    };
    if (wait > 0) return failed(429, NOTICES.tooFast);
    if (read.outcome === 'refused') return failed(400, read.refusal);
    if (read.outcome === 'unavailable') return notStored(read.cause);
    if (read.outcome === 'checked') {
      try {
        await receiver.signUp(read.signUp);
      } catch (error) {
        return notStored(error);
      }
    }
    return wantsHtml(context) ? page(context, 200, await pages.signedUp(read.entry.form)) : context.json({ ok: true });
  };
}

/** OPTIONS NEWSLETTER_PATH: a browser asks whether another site's page may post here. */
export function signUpPreflight({ env }: Receiver): Handler {
  return (context) => {
    const origin = readOrigin(context, env);
    if (!origin.isAllowed || !origin.value) return context.body(null, 403);
    allowOrigin(context, origin.value);
    context.header('Access-Control-Allow-Methods', 'POST');
    context.header('Access-Control-Allow-Headers', 'Content-Type');
    context.header('Access-Control-Max-Age', '86400');
    return context.body(null, 204);
  };
}

/** Enough for an office behind one address, too few to be of use to a flood. */
const SIGN_UP_LIMIT = { atOnce: 20, intervalMs: 30_000 };

const MAX_BODY_BYTES = 8192;

const findNothing: FindWording = async () => undefined;

function wantsHtml(context: Context): boolean {
  return mediaType(context) === FORM_TYPE && (context.req.header('accept') ?? '').includes('text/html');
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

function mediaType(context: Context): string {
  return (context.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
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
async function readSignUp(
  context: Context,
  text: string,
  receiver: Receiver,
  findWording: FindWording,
): Promise<ReadSignUp | undefined> {
  switch (mediaType(context)) {
    // A no-cors request can only send its JSON as text/plain.
    case 'application/json':
    case 'text/plain':
      return readJsonSignUp(text, receiver.currentWordings, findWording);
    case FORM_TYPE:
      return readFormSignUp(text, searchOfPage(context, receiver), findWording);
    default:
      return undefined;
  }
}

/** The query of our own page that a post came from: without JavaScript nothing else knows the campaign. */
function searchOfPage(context: Context, { env }: Receiver): string {
  const referer = URL.parse(context.req.header('referer') ?? '');
  return referer !== null && isOwnHost(referer.host, context, env) ? referer.search : '';
}
