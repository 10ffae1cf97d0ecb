import { agency, home, privacyPolicy } from 'virtual:content';
import { Hono, type MiddlewareHandler } from 'hono';
import { ErrorPage } from '#site/error/error-page.tsx';
import { type Page, renderDocument, type Site, titleOf } from '#site/document.tsx';
import { faqStructuredData } from '#site/home/faq-structured-data.ts';
import { HomePage } from '#site/home/home-page.tsx';
import { NotFoundPage } from '#site/not-found/not-found-page.tsx';
import { PrivacyPolicyPage } from '#site/privacy-policy/privacy-policy-page.tsx';
import { type Receiver, TOKEN_PATHS } from '#receiver/open-receiver.ts';
import { receiverHandlers } from '#receiver/handlers.ts';
import { receiverPages } from '#site/newsletter/receiver-pages.tsx';
import { securityHeaders } from './headers.ts';
import { NEWSLETTER_PATH } from './newsletter.ts';

/**
 * Every URL of the site, in one list. The build renders the pages among them once; what is left answers at run time.
 * @param site what the build made, and what the owner set
 * @param files answers for whatever the build wrote
 * @param receiver left out where only pages are rendered
 */
export function createRoutes(site: Site, files?: MiddlewareHandler, receiver?: OpenReceiver): Hono {
  const app = new Hono();
  const hashes = Object.values(site.assets.styles).map(({ hash }) => hash);
  const headers = Object.entries(securityHeaders(hashes, site.settings, agency.tags));

  app.use(async (c, next) => {
    await next();
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });

  if (files) app.use(files);

  app.get('/', async (c) =>
    c.html(
      await renderDocument(
        {
          name: 'home',
          path: '/',
          title: home.title,
          description: home.description,
          structuredData: faqStructuredData(),
          body: <HomePage newsletterEndpoint={site.settings.newsletterEndpoint} />,
        },
        site,
      ),
    ),
  );

  app.get('/privacy-policy', async (c) =>
    c.html(
      await renderDocument(
        {
          name: 'privacy-policy',
          path: '/privacy-policy',
          title: privacyPolicy.title,
          description: privacyPolicy.description,
          body: <PrivacyPolicyPage />,
        },
        site,
      ),
    ),
  );

  if (receiver) {
    const handlers = receiverHandlers(receiver.receiver, receiverPages(site), receiver.log);
    app.post(NEWSLETTER_PATH, handlers.signUp);
    app.options(NEWSLETTER_PATH, handlers.signUpPreflight);
    app.get(`${TOKEN_PATHS.unsubscribe}/:token`, handlers.unsubscribePage);
    app.post(`${TOKEN_PATHS.unsubscribe}/:token`, handlers.unsubscribe);
    app.get(`${TOKEN_PATHS.confirm}/:token`, handlers.confirmPage);
    app.post(`${TOKEN_PATHS.confirm}/:token`, handlers.confirm);
    app.get('/healthz', handlers.health);
  }

  // Static hosts answer any unknown path with this file; here it is the answer to its own address too.
  app.get('/404', async (c) => c.html(await renderDocument(notFoundPage(site), site)));
  app.notFound(async (c) => c.html(await renderDocument(notFoundPage(site), site), 404));

  app.onError(async (error, c) => {
    const { message } = error;
    return c.html(
      await renderDocument(
        {
          name: 'error',
          title: titleOf('Error'),
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
    title: titleOf('Page not found'),
    description: `There is no page at this address on the website of ${agency.name}.`,
    scripts: [site.assets.notFound],
    body: <NotFoundPage />,
  };
}
