import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import type { Site } from '#layout/page.ts';
import { createClientIpReader } from '#newsletter/http/client-ip.ts';
import { watchClientIps } from '#newsletter/http/watch-client-ips.ts';
import type { PageViewCounter } from '#newsletter/page-views/count-page-views.ts';
import { listSitePages } from '#pages/index.tsx';
import { NEWSLETTER_PATH } from '#shared/sign-up-rules.ts';
import type { NewsletterOptions } from './newsletter-routes.tsx';

type Middleware = MiddlewareHandler<{ Bindings: HttpBindings }>;

/** Watches whether all requests for pages, and all sign-ups, come from one IP. */
export function watchVisitors({ content }: Site, { newsletter, log }: NewsletterOptions): Middleware {
  const count = watchClientIps(createClientIpReader(newsletter.env.TRUSTED_PROXY_HEADER), log);
  const watched = new Set([...listSitePages(content).map(({ path }) => path), NEWSLETTER_PATH]);
  return async (c, next) => {
    if (watched.has(c.req.path)) count(c.env.incoming);
    await next();
  };
}

/** Counts the views of each page. A 304 counts too, because somebody has opened the page. */
export function countPageViews({ content }: Site, pageViews: PageViewCounter): Middleware {
  const counted = new Set(listSitePages(content).map(({ path }) => path));
  return async (c, next) => {
    await next();
    const isPage = c.req.method === 'GET' && counted.has(c.req.path);
    if (isPage && [200, 304].includes(c.res.status)) pageViews.count(c.req.path, c.env.incoming.headers);
  };
}
