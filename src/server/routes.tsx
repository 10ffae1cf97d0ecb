import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { makeSiteHeaders } from '#build/site-headers.ts';
import { securityTxt } from '#layout/crawler-files.ts';
import { renderDocument } from '#layout/document.tsx';
import { makeTitle } from '#layout/page-metadata.tsx';
import type { Site } from '#layout/page.ts';
import { ErrorPage } from '#pages/error/error-page.tsx';
import { describeError, describePath, isOwnError } from '#shared/describe-error.ts';
import { NOTICES } from '#shared/sign-up-rules.ts';
import { normalizeUrlPath } from '#content/url-path.ts';
import { keepQuery } from './keep-query.ts';
import { keepSecret } from './keep-secret.ts';
import { createNewsletterRoutes, type NewsletterOptions } from './newsletter-routes.tsx';
import { createPageRoutes } from './page-routes.ts';
import { createReceiverRedirects } from './receiver-redirects.ts';
import type { SiteFiles } from './site-files.ts';
import { createPictureRoute } from './update-pictures-route.ts';
import { countPageViews, watchVisitors } from './watch-visitors.ts';

/** Creates the app for all URLs of a built site. */
export function createSiteApp(site: Site, files: SiteFiles, options: NewsletterOptions): Hono {
  const app = createApp(site, options.log);
  app.use(watchVisitors(site, options), countPageViews(site, options.newsletter.pageViews));
  renewSecurityTxt(app, site, files);
  app.use(files.serve);
  app.route('/', createOldAddresses(site));
  app.route('/', createNewsletterRoutes(site, options));
  app.route('/', createPictureRoute(options.newsletter.store));
  app.notFound(files.notFound);
  return app;
}

/**
 * Creates the app of a host that only receives sign-ups: its responses, and the links and pictures in emails.
 * @param origin of the site, to which its pages redirect
 */
export function createReceiverApp(origin: string, site: Site, files: SiteFiles, options: NewsletterOptions): Hono {
  const app = createApp(site, options.log);
  app.route('/', createReceiverRedirects(origin, site, files));
  app.route('/', createOldAddresses(site, origin));
  app.use(watchVisitors(site, options), files.serve);
  app.route('/', createNewsletterRoutes(site, options));
  app.route('/', createPictureRoute(options.newsletter.store));
  app.notFound(files.notFound);
  return app;
}

/** Creates the app for the pages and files of a draft that somebody opens by a link. */
export function createPreviewApp(site: Site, files: SiteFiles, log: (line: string) => void): Hono {
  const app = createApp(site, log);
  app.use(keepSecret(site), files.serve);
  app.notFound(files.notFound);
  return app;
}

/** Creates the app for development, when no files are built: pages are rendered for each request. */
export function createDevelopmentApp(site: Site, options: NewsletterOptions): Hono {
  const app = createApp(site, options.log);
  const pages = createPageRoutes(site);
  app.route('/', pages.routes);
  app.route('/', createOldAddresses(site));
  app.route('/', createNewsletterRoutes(site, options));
  app.notFound(pages.notFound);
  return app;
}

/** Redirects the addresses of an earlier site. @param origin of the site's pages, if this host has none */
function createOldAddresses({ content }: Site, origin = ''): Hono {
  const targets = new Map(content.pages.redirects.map(({ from, to }) => [from, to]));
  const routes = new Hono();
  routes.use(async (c, next) => {
    const target = targets.get(normalizeUrlPath(new URL(c.req.url).pathname));
    if (target === undefined || !['GET', 'HEAD'].includes(c.req.method)) return next();
    const [path, ...place] = (target.startsWith('/') ? origin + target : target).split(/(?=#)/);
    return c.redirect((path!.includes('?') ? path! : keepQuery(c, path!)) + place.join(''), 301);
  });
  return routes;
}

/** Serves the build's security.txt with an expiry date 360 days from now. The owner's own file is served unchanged. */
function renewSecurityTxt(app: Hono, { content, settings }: Site, files: SiteFiles): void {
  const write = () => securityTxt(content.agency, settings.siteUrl, new Date());
  const withoutDate = (text: string | undefined) => text?.replace(/^Expires:.*$/m, '');
  if (withoutDate(files.read(SECURITY_TXT)) === withoutDate(write())) app.get(SECURITY_TXT, (c) => c.text(write()));
}

const SECURITY_TXT = '/.well-known/security.txt';

/** An app without routes, which sends the site's headers and explains errors. */
function createApp(site: Site, log: (line: string) => void): Hono {
  const app = new Hono();
  app.use(withHeaders(site), methodNotAllowed({ app }));
  app.onError(async (error, c) => {
    log(`${c.req.method} ${describePath(c.req.path)}: 500 (${describeError(error)}).`);
    return c.html(await renderErrorPage(site, isOwnError(error) ? error.message : NOTICES.failed.text), 500);
  });
  return app;
}

function withHeaders(site: Site): MiddlewareHandler {
  const headers = makeSiteHeaders(site, site.content.agency.tags);
  return async (c: Context, next) => {
    // Set first, so that a handler can override it.
    for (const [name, value] of Object.entries(headers.everywhere)) c.header(name, value);
    await next();
    // A file that is missing now may exist later, so it gets the headers of the 404 page.
    const path = c.res.status === 404 ? '/404' : c.req.path;
    for (const [name, value] of Object.entries(headers.forPath(path))) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
  };
}

function renderErrorPage(site: Site, message: string): Promise<string> {
  const { agency, pages } = site.content;
  const page = {
    title: makeTitle(pages.error.title, agency),
    description: `Something went wrong on the website of ${agency.name}.`,
    isSecret: true,
    body: <ErrorPage message={message} />,
  };
  return renderDocument(page, site);
}
