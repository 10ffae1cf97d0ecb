import { timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { DeskSession } from '#newsletter/database/sign-in-schema.ts';
import { hashKeyed } from '#sign-in/keyed-hash.ts';
import { COOKIE_SECONDS, findSession } from '#sign-in/desk-sessions.ts';
import type { SignInStore } from '#sign-in/sign-in-links.ts';
import { requireTls } from '#build/site-headers.ts';
import type { Environment } from '#settings/environment.ts';
import { DESK_HEADERS } from './desk-headers.ts';
import type { Desk } from './desk-types.ts';
import { readForm } from './read-form.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** The session of the browser; undefined on the pages before sign-in. */
    session: DeskSession | undefined;
    /** The key that the forms and scripts of this session's pages send. */
    pageKey: string;
    /** The client's IP address, as createClientIpReader returns it. */
    client: string;
  }
}

/** Where the desk is opened. @property origin as browsers name it: that of SITE_URL, or of localhost */
export type DeskAddress = { origin: string };

/**
 * Sets the headers of every response, redirects pages from other host names to the desk's, and rejects POSTs from other
 * origins (browsers send the origin with each POST). Visitors' pages have the same origin; requirePageKey rejects their
 * requests.
 */
export function guardDesk(
  { origin }: DeskAddress,
  { HSTS_SUBDOMAINS }: Pick<Environment, 'HSTS_SUBDOMAINS'>,
): MiddlewareHandler {
  const headers = { ...DESK_HEADERS, ...requireTls({ siteUrl: origin, hstsSubdomains: HSTS_SUBDOMAINS }) };
  return async (context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    if (isRead(context)) {
      const { host, pathname, search } = new URL(context.req.url);
      if (!isAskedAt(host, origin)) return context.redirect(`${origin}${pathname}${search}`, 302);
    } else if (context.req.header('Origin') !== origin) {
      return context.text(`Open ${origin}/desk: this request didn't come from your desk there.\n`, 403);
    }
    return next();
  };
}

/** Lets only signed-in browsers in. @param desk.picturesKey opens pictures to the preview of an email */
export function requireSession(desk: SignInStore & Pick<Desk, 'picturesKey'>, address: DeskAddress): MiddlewareHandler {
  return async (context, next) => {
    const session = await readSession(desk, address, context);
    context.set('session', session);
    if (session !== undefined || isPicture(context, desk.picturesKey)) return next();
    const { pathname, search } = new URL(context.req.url);
    if (!isRead(context)) return context.text(SIGNED_OUT, 401);
    const to = pathname === '/desk' ? '' : `?${String(new URLSearchParams({ to: pathname + search }))}`;
    return context.redirect(`/desk/sign-in${to}`, 303);
  };
}

const SIGNED_OUT =
  'You are signed out. What you typed is still in this browser: sign in at /desk in another tab, then come back to this page.\n';

/**
 * Lets only the desk's own pages read and change anything. Tags on visitors' pages run at the same origin, in the
 * owner's browser too: they can send the owner's cookie, but they can't read a page of the desk and its key. Fetch
 * metadata tells navigations from requests by scripts; a request without it comes from a client that runs no tags.
 */
export function requirePageKey({ secret }: Pick<Desk, 'secret'>): MiddlewareHandler {
  return async (context, next) => {
    const session = context.get('session');
    if (session === undefined) return next();
    const key = makePageKey(session, secret);
    context.set('pageKey', key);
    const dest = context.req.header('Sec-Fetch-Dest');
    if (dest === undefined) return next();
    if (isRead(context) && UNREADABLE_BY_SCRIPTS.has(dest)) return next();
    if (isSame((await readPageKey(context)) ?? '', key)) return next();
    return context.text(WITHOUT_KEY, 403);
  };
}

/** Navigations, pictures and so on: a script on a visitor's page can't read the responses to these requests. */
const UNREADABLE_BY_SCRIPTS = new Set(['document', 'image', 'script', 'style', 'font']);

const WITHOUT_KEY = 'This page of your desk is an old copy. Go back, reload it, and try again.\n';

/** A person's key is the same in every browser, so that a page still works after they have signed in again. */
function makePageKey({ email, id }: DeskSession, secret: string): string {
  return hashKeyed('page', email ?? id, secret);
}

async function readPageKey({ req }: Context): Promise<string | undefined> {
  const given = req.header(PAGE_KEY_HEADER) ?? req.query(PAGE_KEY);
  if (given !== undefined || req.method === 'GET') return given;
  const { [PAGE_KEY]: typed } = await readForm(req);
  return typeof typed === 'string' ? typed : undefined;
}

/** The key's name in forms, and in the URLs of frames. */
export const PAGE_KEY = 'page-key';
const PAGE_KEY_HEADER = 'Desk-Page-Key';

/** Finds the session of the request's cookie. Automatic page refreshes don't extend it. */
export async function readSession(
  desk: SignInStore,
  { origin }: DeskAddress,
  context: Context,
): Promise<DeskSession | undefined> {
  const token = getCookie(context, nameCookie('session', origin));
  if (token === undefined) return undefined;
  return findSession(desk, token, { isUse: context.req.query('renewal') === undefined, now: Date.now() });
}

/**
 * Names a cookie. With `__Host-` no other host, such as a subdomain, can set it. Without TLS the name has the port,
 * because browsers send cookies to every port of a host.
 */
export function nameCookie(purpose: 'session' | 'asked', origin: string): string {
  return origin.startsWith('https:') ? `__Host-desk-${purpose}` : `desk-${purpose}-${new URL(origin).port}`;
}

/**
 * Sets a cookie that only the server reads. With `Strict`, a link in an email would find the owner signed out.
 * @param maxAge in seconds
 */
export function setDeskCookie(
  context: Context,
  purpose: 'session' | 'asked',
  value: string,
  { origin, maxAge = COOKIE_SECONDS }: DeskAddress & { maxAge?: number },
): void {
  const secure = origin.startsWith('https:');
  setCookie(context, nameCookie(purpose, origin), value, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    secure,
    maxAge,
  });
}

/** @returns a path of the desk; anything else, such as another site's URL, becomes the desk itself */
export function toDeskPath(to: string | undefined, origin: string): string {
  const url = URL.parse(to ?? '', origin);
  const isInDesk = url?.origin === origin && /^\/desk(\/|$)(?!sign-)/.test(url.pathname);
  return isInDesk ? url.pathname + url.search : '/desk';
}

function isRead({ req }: Context): boolean {
  return req.method === 'GET' || req.method === 'HEAD';
}

/** Whether a request used the desk's own host name. A proxy may replace it with one from its own network. */
function isAskedAt(host: string, origin: string): boolean {
  const own = new URL(origin);
  if (host === own.host) return true;
  const isPublicOrigin = own.hostname.includes('.') && !isIp(own.hostname);
  const { hostname } = new URL(`http://${host}`);
  return isPublicOrigin && (!hostname.includes('.') || isIp(hostname));
}

function isIp(hostname: string): boolean {
  return /^[\d.]+$|^\[/.test(hostname);
}

/** An email's preview has no origin, so it requests its pictures without a cookie: their URLs contain a key. */
function isPicture(context: Context, picturesKey: string): boolean {
  const [, , folder, key = ''] = context.req.path.split('/');
  return context.req.method === 'GET' && folder === 'pictures' && isSame(key, picturesKey);
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
