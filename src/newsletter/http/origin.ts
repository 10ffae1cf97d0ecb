import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Environment } from '#settings/environment.ts';

type Settings = Pick<Environment, 'SITE_URL' | 'ALLOWED_ORIGINS'>;

/** Whose page a POST comes from. `unknown`: the browser or the proxy hides it, or another name leads to this server. */
export type From = 'ours' | 'foreign' | 'unknown';

/**
 * Reads which page a POST comes from. Sec-Fetch-Site can be trusted, since no page can set it. Browsers without it name
 * the page's origin in a cross-origin POST.
 * @returns `value` names the origin; only of `ours` may its pages read the answer
 */
export function readOrigin(context: Context, env: Settings): { from: From; value?: string } {
  const value = context.req.header('origin');
  const site = context.req.header('sec-fetch-site');
  if (value !== undefined && (value === env.SITE_URL || env.ALLOWED_ORIGINS.includes(value))) {
    return { from: 'ours', value };
  }
  if (site === 'cross-site' || site === 'same-site') return { from: 'foreign', ...(value && { value }) };
  if (value === undefined) return { from: 'ours' };
  // A page that hides its referrer posts the origin "null", even to itself.
  if (value === 'null') {
    const isOwn = site === 'same-origin' && isOwnHost(context.req.header('host'), context, env);
    // Naming this value would let every page without an origin read the answer.
    return isOwn ? { from: 'ours' } : { from: 'unknown', value };
  }
  // The host that the browser asked, as far as we can know.
  const isAsked = site === 'same-origin' || URL.parse(value)?.host === context.req.header('host');
  if (env.SITE_URL === undefined) return { from: isAsked ? 'ours' : 'unknown', value };
  return { from: isAsked ? 'unknown' : 'foreign', value };
}

/**
 * Whether a host is this site's: the one of SITE_URL. The request's own `Host` counts only if no SITE_URL is set,
 * since an attacker who makes another name resolve to this server chooses it (DNS rebinding).
 */
export function isOwnHost(host: string | undefined, context: Context, { SITE_URL }: Settings): boolean {
  return host !== undefined && host === (SITE_URL === undefined ? context.req.header('host') : new URL(SITE_URL).host);
}

/** Lets the pages of allowed origins post here and read the answer; answers their browsers' preflights. */
export function allowOrigins(env: Settings): MiddlewareHandler {
  return cors({
    origin: (_, context) => {
      const { from, value } = readOrigin(context, env);
      return from === 'ours' ? value : undefined;
    },
    allowMethods: ['POST'],
    allowHeaders: ['Content-Type'],
    maxAge: 24 * 3600,
  });
}
