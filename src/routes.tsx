import { agency, home, privacyPolicy } from 'virtual:content';
import { Hono, type MiddlewareHandler } from 'hono';
import { ErrorPage } from '#site/error/error-page.tsx';
import { type Page, renderDocument, type Site, titleOf } from '#site/document.tsx';
import { faqStructuredData } from '#site/home/faq-structured-data.ts';
import { HomePage } from '#site/home/home-page.tsx';
import { NotFoundPage } from '#site/not-found/not-found-page.tsx';
import { PrivacyPolicyPage } from '#site/privacy-policy/privacy-policy-page.tsx';
import { securityHeaders } from './headers.ts';

/**
 * Every URL of the site, in one list. The build renders the pages among them once; what is left answers at run time.
 * @param site what the build made, and what the owner set
 * @param files answers for whatever the build wrote
 */
export function createRoutes(site: Site, files?: MiddlewareHandler): Hono {
  const app = new Hono();
  const hashes = Object.values(site.assets.styles).map(({ hash }) => hash);
  const headers = Object.entries(securityHeaders(hashes, site.settings));

  app.use(async (c, next) => {
    await next();
    for (const [name, value] of headers) c.res.headers.set(name, value);
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

function notFoundPage(site: Site): Page {
  return {
    name: 'not-found',
    title: titleOf('Page not found'),
    description: `There is no page at this address on the website of ${agency.name}.`,
    scripts: [site.assets.notFound],
    body: <NotFoundPage />,
  };
}
