import { type Handler, Hono } from 'hono';
import { robotsTxt } from '#layout/crawler-files.ts';
import type { Site } from '#layout/page.ts';
import { listSitePages } from '#pages/index.tsx';
import { keepQuery } from './keep-query.ts';
import type { SiteFiles } from './site-files.ts';

/**
 * A host that only receives sign-ups has no pages of its own: their paths redirect to the site, and nothing on the host
 * is indexed.
 */
export function createReceiverRedirects(origin: string, site: Site, files: SiteFiles): Hono {
  const routes = new Hono();
  routes.use(async (c, next) => {
    c.header('X-Robots-Tag', 'noindex');
    await next();
  });
  const paths = listSitePages(site.content).map(({ path }) => path);
  for (const path of [...paths, '/llms.txt', '/sitemap.xml', '/.well-known/security.txt']) {
    const redirect: Handler = (c) => c.redirect(origin + keepQuery(c, path), 301);
    routes.get(path, redirect);
    if (path !== '/') routes.get(`${path}/`, redirect);
  }
  // Pages of public/ too, but not pictures, which emails show. `c.req.path` is partly decoded, so the redirect uses the URL's path.
  routes.get('/:page{.+\\.html}', (c, next) =>
    files.has(c.req.path)
      ? Promise.resolve(c.redirect(origin + keepQuery(c, new URL(c.req.url).pathname), 301))
      : next(),
  );
  routes.get('/robots.txt', (c) => c.text(robotsTxt(undefined)));
  return routes;
}
