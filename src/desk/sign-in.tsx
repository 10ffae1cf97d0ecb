import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie } from 'hono/cookie';
import { toNetwork48 } from '#newsletter/http/client-ip.ts';
import { createRateLimit } from '#newsletter/http/rate-limit.ts';
import { normaliseEmail } from '#newsletter/subscribers/email.ts';
import { explainError } from '#shared/explain-codes.ts';
import { nameBrowser } from '#sign-in/browser-name.ts';
import { beginSession, endSession } from '#sign-in/desk-sessions.ts';
import { makeToken } from '#sign-in/keyed-hash.ts';
import { askForPasskey, usePasskey } from '#sign-in/passkeys.ts';
import {
  type Asking,
  LINK_MINUTES,
  makeEmailLink,
  readLink,
  type SignedIn,
  useCode,
  useLink,
} from '#sign-in/sign-in-links.ts';
import { renderSignInMail, sendDeskMail } from '#sign-in/sign-in-mail.tsx';
import type { Desk } from './desk-types.ts';
import { readFields } from './handle-forms.ts';
import { type DeskAddress, nameCookie, readSession, setDeskCookie, toDeskPath } from './security.ts';
import { CodePage, ElsewherePage, LinkPage, OldLinkPage, renderSignInPage, SignInPage } from './sign-in-pages.tsx';

/** The parts of the desk that signing in needs. */
export type SignInDesk = Pick<Desk, 'store' | 'env' | 'secret' | 'content' | 'origin' | 'log' | 'openTransport'>;

/** Adds the pages before sign-in: the form, the emailed link and its code, passkeys, and signing out. */
export function addSignIn(app: Hono, desk: SignInDesk): void {
  const limitMails = createRateLimit({ atOnce: 5, intervalMs: 3 * 60_000 });
  const limitTries = createRateLimit({ atOnce: 30, intervalMs: 5000 });
  const readTo = (context: Context) => toDeskPath(context.req.query('to'), desk.origin);
  app.use(
    '/desk/sign-in/*',
    bodyLimit({
      maxSize: MAX_BODY,
      onError: (context) => context.text('This is too long for an address or a code.\n', 413),
    }),
  );
  app.get('/desk/sign-in', async (context) => {
    const to = readTo(context);
    if (await readSession(desk, desk, context)) return context.redirect(to, 303);
    return renderSignInPage(context, desk.content, <SignInPage to={to} agency={desk.content.agency} />, 'Sign in');
  });
  app.post('/desk/sign-in', async (context) => {
    const { email = '', to } = await readFields(context);
    const next = String(new URLSearchParams({ to: toDeskPath(to, desk.origin) }));
    const asking = getCookie(context, nameCookie('asked', desk.origin)) ?? makeToken();
    // The response is the same whether or not the address is known.
    setDeskCookie(context, 'asked', asking, { ...desk, maxAge: LINK_MINUTES * 60 });
    const network = toNetwork48(context.get('client'));
    const wait = limitMails(network);
    if (wait > 0) return context.redirect(`/desk/sign-in/sent?wait=${Math.ceil(wait / 60)}&${next}`, 303);
    // After the response, so that its timing reveals nothing.
    setImmediate(() => void mailLink(desk, email, { browser: asking, network }));
    return context.redirect(`/desk/sign-in/sent?${next}`, 303);
  });
  for (const path of ['/desk/sign-in/sent', '/desk/sign-in/code']) {
    app.get(path, (context) => {
      const { wait, wrong } = context.req.query();
      const canMail = desk.env.SMTP_URL !== undefined;
      const page = <CodePage to={readTo(context)} wait={wait} isWrong={wrong !== undefined} canMail={canMail} />;
      return renderSignInPage(context, desk.content, page, 'Look at your email');
    });
  }
  app.post('/desk/sign-in/code', async (context) => {
    const { code = '', to } = await readFields(context);
    const path = toDeskPath(to, desk.origin);
    const asking = getCookie(context, nameCookie('asked', desk.origin));
    const isAllowed = asking !== undefined && limitTries(toNetwork48(context.get('client'))) === 0;
    const used = isAllowed ? await useCode(desk, code, asking, Date.now()) : undefined;
    if (used) return signIn(context, desk, used, path);
    return context.redirect(`/desk/sign-in/code?wrong&${String(new URLSearchParams({ to: path }))}`, 303);
  });
  addPasskeys(app, desk, limitTries);
  addLinks(app, desk);
  app.post('/desk/sign-out', async (context) => {
    const session = await readSession(desk, desk, context);
    if (session) await endSession(desk, session.id);
    deleteSessionCookie(context, desk);
    return context.redirect('/desk/sign-in', 303);
  });
}

/** In bytes. Requests before sign-in are untrusted, and small. */
const MAX_BODY = 16_000;

function addPasskeys(app: Hono, desk: SignInDesk, limitTries: (client: string) => number): void {
  const site = () => ({ origin: desk.origin, name: desk.content.agency.name });
  app.post('/desk/sign-in/passkey/*', async (context, next) =>
    limitTries(toNetwork48(context.get('client'))) > 0 ? context.text('Wait a minute, then try again.\n', 429) : next(),
  );
  app.post('/desk/sign-in/passkey/challenge', async ({ json }) => json(await askForPasskey(desk, site(), Date.now())));
  app.post('/desk/sign-in/passkey', async (context) => {
    const response = await context.req.json<AuthenticationResponseJSON>().catch(() => undefined);
    const used = response && (await usePasskey(desk, response, site(), Date.now()).catch(() => undefined));
    if (!used) return context.text('This passkey didn’t open the desk. Try again, or ask for a link by email.', 401);
    await beginBrowserSession(context, desk, used);
    return context.text(toDeskPath(context.req.query('to'), desk.origin));
  });
}

function addLinks(app: Hono, desk: SignInDesk): void {
  app.get('/desk/sign-in/:token', async (context) => {
    const asking = getCookie(context, nameCookie('asked', desk.origin));
    const state = await readLink(desk, context.req.param('token'), asking, Date.now());
    if (state === 'ready')
      return renderSignInPage(context, desk.content, <LinkPage />, 'Welcome to your desk', { isLit: true });
    if (await readSession(desk, desk, context)) return context.redirect('/desk', 303);
    return state === 'elsewhere'
      ? renderSignInPage(context, desk.content, <ElsewherePage />, 'Nearly there')
      : renderSignInPage(context, desk.content, <OldLinkPage />, 'This link no longer works', { status: 410 });
  });
  app.post('/desk/sign-in/:token', async (context) => {
    const asking = getCookie(context, nameCookie('asked', desk.origin));
    const used = await useLink(desk, context.req.param('token'), asking, Date.now());
    // A link without an address leads to the page that asks for one.
    if (used) return signIn(context, desk, used, used.email === null ? '/desk/settings' : '/desk');
    // After a second click or in a second tab, the link's page says what to do.
    return context.redirect(context.req.path, 303);
  });
}

async function signIn(context: Context, desk: SignInDesk, used: SignedIn, to: string): Promise<Response> {
  await beginBrowserSession(context, desk, used);
  return context.redirect(to, 303);
}

async function beginBrowserSession(context: Context, desk: SignInDesk, used: SignedIn): Promise<void> {
  const browser = nameBrowser(context.req.header('User-Agent') ?? '');
  const earlier = getCookie(context, nameCookie('session', desk.origin));
  setDeskCookie(context, 'session', await beginSession(desk, used, { browser, earlier, now: Date.now() }), desk);
}

/** Removes the cookie of a session from its browser. */
export function deleteSessionCookie(context: Context, { origin }: DeskAddress): void {
  deleteCookie(context, nameCookie('session', origin), { path: '/', secure: origin.startsWith('https:') });
}

/** Sends the link if the address may sign in; nothing else reveals whether it may. */
async function mailLink(desk: SignInDesk, typed: string, asking: Asking): Promise<void> {
  try {
    const email = normaliseEmail(typed);
    const link = email === undefined ? undefined : await makeEmailLink(desk, email, asking, Date.now());
    if (email === undefined || link === undefined) return;
    const mail = renderSignInMail(`${desk.origin}/desk/sign-in/${link.token}`, link.code, desk.content);
    await sendDeskMail(desk, email, mail);
  } catch (error) {
    desk.log(`Sign-in: an email was not sent (${explainError(error)}). npm run desk prints a link.`);
  }
}
