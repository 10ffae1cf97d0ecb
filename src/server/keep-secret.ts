import type { MiddlewareHandler } from 'hono';
import { makeSiteHeaders } from '#build/site-headers.ts';
import type { Site } from '#layout/page.ts';

/** Protects URLs that work for anybody who has them: their pages send no referrer, and load no tags. */
export function keepSecret(site: Site): MiddlewareHandler {
  const { everywhere } = makeSiteHeaders(site, []);
  return async (c, next) => {
    await next();
    for (const name of ['Content-Security-Policy', 'Cross-Origin-Embedder-Policy'])
      c.res.headers.set(name, everywhere[name]!);
    c.res.headers.set('Referrer-Policy', 'no-referrer');
  };
}
