import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Environment } from '#settings/environment.ts';

type Settings = Pick<Environment, 'SITE_URL' | 'ALLOWED_ORIGINS'>;

/**
 * Whose page a POST comes from. `unknown`: the browser or the proxy hides the page, or another name resolves to this
 * server.
 */
export type From = 'ours' | 'foreign' | 'unknown';

/**
 * Reads which page a POST comes from. Sec-Fetch-Site can be trusted, since no page can set it. Browsers without it send
 * the page's origin with a cross-origin POST.
 * @returns `value` is the origin, whose pages may read the response only if `from` is `ours`
 */
export function readOrigin(context: Context, env: Settings): { from: From; value?: string } {
  const value = context.req.header('origin');
  const site = context.req.header('sec-fetch-site');
  if (value !== undefined && (value === env.SITE_URL || env.ALLOWED_ORIGINS.includes(value))) {
    return { from: 'ours', value };
  }
  if (site === 'cross-site' || site === 'same-site') return { from: 'foreign', ...(value && { value }) };
  if (value === undefined) return { from: 'ours' };
  // A page that hides its referrer posts the origin "null", even to its own site.
  if (value === 'null') {
    const isOwn = site === 'same-origin' && isOwnHost(context.req.header('host'), context, env);
    // Allowing this value would let every page without an origin read the response.
    return isOwn ? { from: 'ours' } : { from: 'unknown', value };
  }
  // The host that the browser requested, as far as we can tell.
  const isAsked = site === 'same-origin' || URL.parse(value)?.host === context.req.header('host');
  if (env.SITE_URL === undefined) return { from: isAsked ? 'ours' : 'unknown', value };
  return { from: isAsked ? 'unknown' : 'foreign', value };
}

/**
 * Whether a host is this site's, as SITE_URL says. The request's own `Host` counts only if SITE_URL isn't set: an
 * attacker who makes another name resolve to this server controls that header (DNS rebinding).
 */
export function isOwnHost(host: string | undefined, context: Context, { SITE_URL }: Settings): boolean {
  return host !== undefined && host === (SITE_URL === undefined ? context.req.header('host') : new URL(SITE_URL).host);
}

/** Lets pages of allowed origins post here and read the response; answers their browsers' preflight requests. */
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
