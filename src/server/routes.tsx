import { agency, pages } from 'virtual:content';
import { Hono, type MiddlewareHandler } from 'hono';
import { isSSGContext } from 'hono/ssg';
import { ErrorPage } from '#site/error/error-page.tsx';
import { speculationRules, webManifest } from '#site/discovery/browser-files.ts';
import { llmsTxt, robotsTxt, sitemapXml } from '#site/discovery/crawler-files.ts';
import { securityTxt } from '#site/discovery/security-txt.ts';
import { type Page, renderDocument, type Site, titleOf } from '#site/document.tsx';
import { NotFoundPage } from '#site/not-found/not-found-page.tsx';
import { SITE_PAGES } from '#site/site-pages.tsx';
import { type Receiver, TOKEN_PATHS } from '#receiver/open-receiver.ts';
import { describeError, describePath, isOwnError } from '#receiver/describe-error.ts';
import { receiverHandlers } from '#receiver/handlers.ts';
import { receiverPages } from '#site/outcome/receiver-pages.tsx';
import { siteHeaders, SPECULATION_RULES } from './headers.ts';
import { NEWSLETTER_PATH, NOTICES } from '#shared/newsletter.ts';

/**
 * Every URL of the site, in one list. The build renders the pages among them once; what is left answers at run time.
 * @param site what the build made, and what the owner set
 * @param files answers for whatever the build wrote
 * @param receiver left out where only pages are rendered
 */
export function createRoutes(site: Site, files?: MiddlewareHandler, receiver?: OpenReceiver): Hono {
  const app = new Hono();
  const headers = siteHeaders(site, agency.tags);
  const { siteUrl } = site.settings;

  app.use(async (c, next) => {
    // Set before the answer is made, so that a handler may say otherwise.
    for (const [name, value] of Object.entries(headers.everywhere)) c.header(name, value);
    await next();
    const isDocument = c.res.headers.get('Content-Type')?.startsWith('text/html') ?? false;
    // What is not there now may be there later, whatever its name.
    const path = c.res.status === 404 ? '/404' : c.req.path;
    for (const [name, value] of Object.entries(headers.of({ path, isDocument }))) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
  });

  if (files) app.use(files);

  for (const page of SITE_PAGES) {
    app.get(page.path, async (c) => c.html(await renderDocument({ ...page, body: page.body(site) }, site)));
  }

  app.get('/robots.txt', (c) => c.text(robotsTxt(siteUrl)));
  app.get('/llms.txt', (c) => c.text(llmsTxt(siteUrl, SITE_PAGES)));
  app.get('/.well-known/security.txt', (c) => c.text(securityTxt(siteUrl, new Date())));
  app.get('/manifest.webmanifest', (c) =>
    c.body(JSON.stringify(webManifest()), 200, { 'Content-Type': 'application/manifest+json' }),
  );
  app.get(SPECULATION_RULES.path, (c) =>
    c.body(JSON.stringify(speculationRules(SITE_PAGES)), 200, { 'Content-Type': SPECULATION_RULES.type }),
  );
  // A sitemap holds whole addresses, which a site without one does not have.
  if (siteUrl !== undefined) {
    app.get('/sitemap.xml', (c) =>
      c.body(sitemapXml(siteUrl, SITE_PAGES, site.lastChanged), 200, {
        'Content-Type': 'application/xml; charset=utf-8',
      }),
    );
  }

  if (receiver) {
    const handlers = receiverHandlers(receiver.receiver, receiverPages(site), receiver.log);
    app.post(NEWSLETTER_PATH, handlers.signUp);
    // Whoever opens the address of a page that a post led to asks for nothing.
    app.get(NEWSLETTER_PATH, (c) => c.redirect('/', 303));
    app.options(NEWSLETTER_PATH, handlers.signUpPreflight);
    app.get(`${TOKEN_PATHS.unsubscribe}/:token`, handlers.unsubscribePage);
    app.post(`${TOKEN_PATHS.unsubscribe}/:token`, handlers.unsubscribe);
    app.get(`${TOKEN_PATHS.confirm}/:token`, handlers.confirmPage);
    app.post(`${TOKEN_PATHS.confirm}/:token`, handlers.confirm);
    app.get('/healthz', handlers.health);
  }

  // Static hosts answer any unknown path with this file; where routes answer, there is nothing at this address either.
  app.get('/404', async (c) => c.html(await renderDocument(notFoundPage(site), site), isSSGContext(c) ? 200 : 404));
  app.notFound(async (c) => c.html(await renderDocument(notFoundPage(site), site), 404));

  app.onError(async (error, c) => {
    receiver?.log(`${c.req.method} ${describePath(c.req.path)}: 500 (${describeError(error)}).`);
    const message = isOwnError(error) ? error.message : NOTICES.failed.text;
    return c.html(
      await renderDocument(
        {
          name: 'error',
          title: titleOf(pages.error.title),
          description: `Something went wrong on the website of ${agency.name}.`,
          body: <ErrorPage message={message} />,
        },
        site,
      ),
      500,
    );
  });

  return app;
}

type OpenReceiver = { receiver: Receiver; log: (line: string) => void };

function notFoundPage(site: Site): Page {
  return {
    name: 'not-found',
    title: titleOf(pages.notFound.title),
    description: `There is no page at this address on the website of ${agency.name}.`,
    scripts: [site.assets.notFound],
    body: <NotFoundPage />,
  };
}
