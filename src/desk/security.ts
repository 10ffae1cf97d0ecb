import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Desk } from './desk-types.ts';

/**
 * Admits only the browser that opened the printed URL, under this machine's own names, and only the desk's own forms.
 * @param options.token one-time, 128 bits, in the printed URL
 * @param options.onUse called for each admitted request of the owner's, not for the script's renewals
 */
export function guardDesk(
  desk: Pick<Desk, 'csrf' | 'picturesKey'>,
  options: { token: string; onUse: () => void },
): MiddlewareHandler {
  const key = randomBytes(32).toString('base64url');
  let unused: string | undefined = options.token;
  return async (context, next) => {
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
    const isGet = context.req.method === 'GET';
    const host = context.req.header('Host') ?? '';
    // Another site's name that resolves to this machine would be same-origin with the desk (DNS rebinding).
    if (!isLoopbackHost(host)) return refuse(context, 'Open the address that the terminal shows.');
    if (!isGet && context.req.header('Origin') !== `http://${host}`) {
      return refuse(context, 'This form is not from your desk.');
    }
    const cookie = nameCookie('session', context);
    const token = context.req.query('token');
    if (isGet && token !== undefined && unused !== undefined && isSame(token, unused)) {
      unused = undefined;
      setCookie(context, cookie, key, OWN_COOKIE);
      return context.redirect('/', 303);
    }
    if (!isSame(getCookie(context, cookie) ?? '', key) && !isPicture(context, desk.picturesKey)) {
      return refuse(
        context,
        'Open the address that your terminal shows. It works once, in one browser: if it was used already, end the desk there with Ctrl-C and start it again. What you wrote is kept in this browser.',
      );
    }
    if (!isGet) {
      const { csrf } = await context.req.parseBody();
      if (typeof csrf !== 'string' || !isSame(csrf, desk.csrf)) {
        return refuse(
          context,
          'This form is from an earlier desk. Reload its page and try again; go back to it first if you have left it.',
        );
      }
    }
    // A used token is removed from the URL too.
    if (token !== undefined) return context.redirect('/', 303);
    if (context.req.query('renewal') === undefined) options.onUse();
    return next();
  };
}

/** With the port, since browsers send a cookie to every port of a host: two desks may be open. */
export function nameCookie(purpose: 'session' | 'notice', { req }: Context): string {
  return `desk-${purpose}-${new URL(req.url).port}`;
}

/** A cookie of the session that only the desk's own pages send. */
export const OWN_COOKIE = { httpOnly: true, sameSite: 'Strict', path: '/' } as const;

function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(host);
}

/** The preview of a mail has no origin, so it requests its pictures without a cookie: their URL has a key. */
function isPicture(context: Context, picturesKey: string): boolean {
  const [, folder, key = ''] = context.req.path.split('/');
  return context.req.method === 'GET' && folder === 'pictures' && isSame(key, picturesKey);
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function refuse(context: Context, sentence: string): Response {
  return context.text(`${sentence}\n`, 403);
}

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  // With no-referrer browsers would send "Origin: null" with each form; other sites get no referrer either way.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The headers of the preview of a mail, the only page that is framed, and only by the desk. */
export const PREVIEW_HEADERS = {
  'Content-Security-Policy':
    "frame-ancestors 'self'; sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'",
  'X-Frame-Options': 'SAMEORIGIN',
};

/**
 * The headers of the preview of the site. It keeps the desk's origin, for its fonts and for its place, and runs no
 * script.
 */
export const WEB_PAGE_HEADERS = {
  'Content-Security-Policy':
    "frame-ancestors 'self'; sandbox allow-same-origin; default-src 'none'; img-src 'self' data:; font-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'",
  'X-Frame-Options': 'SAMEORIGIN',
};
