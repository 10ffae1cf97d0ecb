import type { MiddlewareHandler } from 'hono';
import { makeSiteHeaders } from '#build/headers.ts';
import type { Site } from '#layout/page.ts';

/** For URLs that work for whoever has them: their pages name them to nobody, and admit no tag. */
export function keepSecret(site: Site): MiddlewareHandler {
  const { everywhere } = makeSiteHeaders(site, []);
  return async (c, next) => {
    await next();
    for (const name of ['Content-Security-Policy', 'Cross-Origin-Embedder-Policy'])
      c.res.headers.set(name, everywhere[name]!);
    c.res.headers.set('Referrer-Policy', 'no-referrer');
  };
}
