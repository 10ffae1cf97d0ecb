import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Environment } from '#shared/environment.ts';

type Settings = Pick<Environment, 'SITE_URL' | 'ALLOWED_ORIGINS'>;

/**
 * Reads which page a post comes from. A browser names the page's origin in every cross-origin post; a post without one
 * comes from no other site's page.
 */
export function readOrigin(context: Context, env: Settings): { isAllowed: boolean; value?: string } {
  const value = context.req.header('origin');
  if (value === undefined) return { isAllowed: true };
  // A page that hides its referrer posts the origin "null", even to itself.
  if (value === 'null') {
    const isSameOrigin = context.req.header('sec-fetch-site') === 'same-origin';
    const isOwn = isSameOrigin && isOwnHost(context.req.header('host'), context, env);
    // With this value every page without an origin could read the answer.
    return isOwn ? { isAllowed: true } : { isAllowed: false, value };
  }
  const isOwn = env.SITE_URL === undefined ? isOwnHost(URL.parse(value)?.host, context, env) : value === env.SITE_URL;
  return { isAllowed: isOwn || env.ALLOWED_ORIGINS.includes(value), value };
}

/**
 * Whether a host is this site's: the one of SITE_URL. The request's own `Host` counts only where no SITE_URL is set,
 * since an attacker who makes another name resolve to this server chooses it (DNS rebinding).
 */
export function isOwnHost(host: string | undefined, context: Context, { SITE_URL }: Settings): boolean {
  return host !== undefined && host === (SITE_URL === undefined ? context.req.header('host') : new URL(SITE_URL).host);
}

/** Lets the pages of allowed origins post here and read the answer; answers their browsers' preflights. */
export function allowOrigins(env: Settings): MiddlewareHandler {
  return cors({
    origin: (_, context) => {
      const { isAllowed, value } = readOrigin(context, env);
      return isAllowed ? value : undefined;
    },
    allowMethods: ['POST'],
    allowHeaders: ['Content-Type'],
    maxAge: 24 * 3600,
  });
}
