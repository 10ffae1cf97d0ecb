import { setImmediate } from 'node:timers/promises';
import { agency, pages } from '#content/site-content.ts';
import { TOKEN_PATHS } from '#newsletter/subscribers/tokens.ts';
import type { HttpBindings } from '@hono/node-server';
import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { disableSSG, onlySSG } from 'hono/ssg';
import { ErrorPage } from '#pages/error/error-page.tsx';
import { speculationRules, webManifest } from '#layout/browser-files.ts';
import { llmsTxt, robotsTxt, securityTxt, sitemapXml } from '#layout/crawler-files.ts';
import { makeTitle } from '#layout/page-metadata.tsx';
import { renderDocument } from '#layout/document.tsx';
import type { Page, Site } from '#layout/page.ts';
import { listFooterLinks, listSitePages } from '#pages/index.tsx';
import { NotFoundPage } from '#pages/not-found/not-found-page.tsx';
import { SignUpResultPage, outcomeTitle } from '#pages/sign-up-result/sign-up-result-page.tsx';
import type { PageOutcome } from '#shared/sign-up-result.ts';
import type { Newsletter } from '#newsletter/open-newsletter.ts';
import { describeError, describePath, isOwnError } from '#shared/describe-error.ts';
import { sendPage } from '#newsletter/http/answers.ts';
import { createClientIpReader } from '#newsletter/http/client-ip.ts';
import { watchClientIps } from '#newsletter/http/watch-client-ips.ts';
import { createHealthHandler } from '#newsletter/http/health-handler.ts';
import { createLinkHandlers, type DrawOutcome } from '#newsletter/http/link-handlers.ts';
import { allowOrigins } from '#newsletter/http/origin.ts';
import { createSignUpHandler } from '#newsletter/http/sign-up-handler.ts';
import { NEWSLETTER_PATH, NOTICES, SIGN_UP_FORMS, SIGNED_UP_PATHS } from '#shared/newsletter.ts';
import { makeSiteHeaders, SPECULATION_RULES } from './headers.ts';
import { WORDS_HEADER } from './live-site.ts';
import type { PageViewCounter } from '#newsletter/page-views/count-page-views.ts';
import type { SiteFiles } from './site-files.ts';

/**
 * All URLs of the site. The build renders the pages among them once; the others answer at run time.
 * @param made the built site with the owner's settings
 * @param built the files of the build; left out when pages are rendered, for the build itself or in development
 * @param newsletter left out when only pages are rendered
 */
export function createRoutes(made: Omit<Site, 'footerLinks'>, built?: SiteFiles, newsletter?: RoutedNewsletter): Hono {
  const site = { ...made, footerLinks: listFooterLinks() };
  const app = new Hono();
  app.use(withHeaders(site));
  if (newsletter?.receiverOf !== undefined) redirectPagesTo(newsletter.receiverOf, app, built);
  app.use(methodNotAllowed({ app }));
  // Not in development.
  if (built && newsletter) app.use(watchVisitors(newsletter), countPageViews(newsletter.newsletter.pageViews));
  if (built) app.use(built.serve);

  for (const page of listSitePages()) {
    app.get(page.path, async (c) => c.html(await renderDocument({ ...page, body: page.body(site) }, site)));
    // A page has one URL.
    if (page.path !== '/') app.get(`${page.path}/`, disableSSG(), (c) => c.redirect(keepQuery(c, page.path), 301));
  }
  addFilesForSoftware(app, site.settings.siteUrl);
  if (newsletter) addNewsletter(app, site, newsletter);

  // The build writes it for static hosts, which send it for unknown paths.
  app.get('/404', onlySSG(), async (c) => c.html(await renderDocument(makeNotFoundPage(), site)));
  app.notFound(built?.notFound ?? (async (c) => c.html(await renderDocument(makeNotFoundPage(), site), 404)));
  app.onError(async (error, c) => {
    newsletter?.log(`${c.req.method} ${describePath(c.req.path)}: 500 (${describeError(error)}).`);
    const message = isOwnError(error) ? error.message : NOTICES.failed.text;
    return c.html(await renderDocument(makeErrorPage(message), site), 500);
  });
  return app;
}

/**
 * @property receiverOf the origin of the site for which this server only receives sign-ups
 * @property words identifies the content that the site shows, for the desk
 */
type RoutedNewsletter = {
  newsletter: Newsletter;
  log: (line: string) => void;
  receiverOf?: string | undefined;
  words?: string;
};

/** A host that only receives sign-ups has no pages: each redirects to the site's, and nothing here is indexed. */
function redirectPagesTo(origin: string, app: Hono, built: SiteFiles | undefined): void {
  app.use(async (c, next) => {
    c.header('X-Robots-Tag', 'noindex');
    await next();
  });
  const paths = listSitePages().map(({ path }) => path);
  for (const path of [...paths, '/llms.txt', '/sitemap.xml', '/.well-known/security.txt']) {
    const redirect: Handler = (c) => c.redirect(origin + keepQuery(c, path), 301);
    app.get(path, redirect);
    if (path !== '/') app.get(`${path}/`, redirect);
  }
  // Pages of public/ too, but not pictures, which mails show. Hono's own path is partly decoded.
  app.get('/:page{.+\\.html}', (c, next) =>
    built?.has(c.req.path)
      ? Promise.resolve(c.redirect(origin + keepQuery(c, new URL(c.req.url).pathname), 301))
      : next(),
  );
  app.get('/robots.txt', (c) => c.text(robotsTxt(undefined)));
}

/** Adds the request's query, so that a redirect doesn't lose the campaign. */
function keepQuery(c: Context, path: string): string {
  return path + new URL(c.req.url).search;
}

/** Watches whether those who ask for pages, or sign up, come from one IP. */
function watchVisitors({ newsletter, log }: RoutedNewsletter): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const count = watchClientIps(createClientIpReader(newsletter.env.TRUSTED_PROXY_HEADER), log);
  const watched = new Set([...listSitePages().map(({ path }) => path), NEWSLETTER_PATH]);
  return async (c, next) => {
    if (watched.has(c.req.path)) count(c.env.incoming);
    await next();
  };
}

/** A 304 counts too, since somebody sees the page. */
function countPageViews(pageViews: PageViewCounter): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const counted = new Set(listSitePages().map(({ path }) => path));
  return async (c, next) => {
    await next();
    const isPage = c.req.method === 'GET' && counted.has(c.req.path);
    if (isPage && [200, 304].includes(c.res.status)) pageViews.count(c.req.path, c.env.incoming.headers);
  };
}

function withHeaders(site: Site): MiddlewareHandler {
  const headers = makeSiteHeaders(site, agency.tags);
  return async (c, next) => {
    // Set first, so that a handler can override it.
    for (const [name, value] of Object.entries(headers.everywhere)) c.header(name, value);
    await next();
    const isDocument = c.res.headers.get('Content-Type')?.startsWith('text/html') ?? false;
    // A file that is missing now may be there later.
    const path = c.res.status === 404 ? '/404' : c.req.path;
    for (const [name, value] of Object.entries(headers.forResponse({ path, isDocument }))) {
      // A type is given only if the file name doesn't show it.
      if (name === 'Content-Type' || !c.res.headers.has(name)) c.res.headers.set(name, value);
    }
  };
}

/** Adds the files that crawlers and browsers read besides pages. */
function addFilesForSoftware(app: Hono, siteUrl: string | undefined): void {
  app.get('/robots.txt', (c) => c.text(robotsTxt(siteUrl)));
  app.get('/llms.txt', (c) => c.text(llmsTxt(siteUrl, listSitePages())));
  app.get('/.well-known/security.txt', (c) => c.text(securityTxt(siteUrl, new Date())));
  app.get('/manifest.webmanifest', (c) =>
    c.body(JSON.stringify(webManifest()), 200, { 'Content-Type': 'application/manifest+json' }),
  );
  app.get(SPECULATION_RULES.path, (c) =>
    c.body(JSON.stringify(speculationRules(listSitePages())), 200, { 'Content-Type': SPECULATION_RULES.type }),
  );
  // A sitemap holds whole URLs, and a site without SITE_URL has none.
  if (siteUrl !== undefined) {
    app.get('/sitemap.xml', (c) =>
      c.body(sitemapXml(siteUrl, listSitePages()), 200, { 'Content-Type': 'application/xml; charset=utf-8' }),
    );
  }
}

function addNewsletter(app: Hono, site: Site, { newsletter, log, words }: RoutedNewsletter): void {
  const draw = createOutcomeRenderer(site);
  const links = createLinkHandlers(newsletter, draw, log);
  app.use(NEWSLETTER_PATH, allowOrigins(newsletter.env));
  app.post(NEWSLETTER_PATH, createSignUpHandler(newsletter, draw, log));
  // Somebody may open the URL that forms post to.
  app.get(NEWSLETTER_PATH, (c) => c.redirect(keepQuery(c, '/'), 303));
  for (const form of SIGN_UP_FORMS) {
    app.get(SIGNED_UP_PATHS[form], async (c) => sendPage(c, 200, await draw({ kind: 'signedUp', form })));
  }
  app.get(`${TOKEN_PATHS.unsubscribe}/:token`, links.unsubscribePage);
  app.post(`${TOKEN_PATHS.unsubscribe}/:token`, links.unsubscribe);
  app.get(`${TOKEN_PATHS.confirm}/:token`, links.confirmPage);
  app.post(`${TOKEN_PATHS.confirm}/:token`, links.confirm);
  app.get(`${TOKEN_PATHS.renew}/:token`, links.renewPage);
  app.post(`${TOKEN_PATHS.renew}/:token`, links.renew);
  app.get('/healthz', (c, next) => {
    c.header(WORDS_HEADER, words);
    return next();
  });
  app.get('/healthz', createHealthHandler(newsletter.store, log));
}

/**
 * Renders result pages so that a flood of them doesn't delay other answers: a page without a visitor's own input
 * is rendered once, the others one at a time with other work in between.
 */
function createOutcomeRenderer(site: Site): DrawOutcome {
  const render = (outcome: PageOutcome) => renderDocument(makeResultPage(outcome, site), site);
  const rendered = new Map<string, Promise<string>>();
  let latest = Promise.resolve('');
  return (outcome) => {
    if (outcome.kind === 'tryAgain') {
      latest = latest
        .catch(() => '')
        .then(() => setImmediate())
        .then(() => render(outcome));
      return latest;
    }
    const key = JSON.stringify(outcome);
    const page = rendered.get(key) ?? render(outcome);
    rendered.set(key, page);
    return page;
  };
}

function makeNotFoundPage(): Page {
  return {
    title: makeTitle(pages.notFound.title),
    description: `There is no page at this address on the website of ${agency.name}.`,
    body: <NotFoundPage />,
  };
}

function makeResultPage(outcome: PageOutcome, site: Site): Page {
  return {
    title: makeTitle(outcomeTitle(outcome)),
    description: `The newsletter of ${agency.name}.`,
    body: <SignUpResultPage outcome={outcome} endpoint={site.settings.newsletterEndpoint} />,
  };
}

function makeErrorPage(message: string): Page {
  return {
    title: makeTitle(pages.error.title),
    description: `Something went wrong on the website of ${agency.name}.`,
    body: <ErrorPage message={message} />,
  };
}
