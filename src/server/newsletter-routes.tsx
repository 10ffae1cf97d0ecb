import { setImmediate } from 'node:timers/promises';
import { Hono } from 'hono';
import { renderDocument } from '#layout/document.tsx';
import { makeTitle } from '#layout/page-metadata.tsx';
import type { Page, Site } from '#layout/page.ts';
import { sendPage } from '#newsletter/http/responses.ts';
import { createHealthHandler } from '#newsletter/http/health-handler.ts';
import { createLinkHandlers, type RenderOutcome } from '#newsletter/http/link-handlers.ts';
import { allowOrigins } from '#newsletter/http/origin.ts';
import { createSignUpHandler } from '#newsletter/http/sign-up-handler.ts';
import type { Newsletter } from '#newsletter/open-newsletter.ts';
import { TOKEN_PATHS } from '#newsletter/subscribers/tokens.ts';
import { outcomeTitle, SignUpResultPage } from '#pages/sign-up-result/sign-up-result-page.tsx';
import { NEWSLETTER_PATH, SIGN_UP_FORMS, SIGNED_UP_PATHS } from '#shared/sign-up-rules.ts';
import type { PageOutcome } from '#shared/sign-up-result.ts';
import { keepQuery } from './keep-query.ts';
import { keepSecret } from './keep-secret.ts';

/** The header of /healthz that identifies the content that a site shows. */
export const CONTENT_HASH_HEADER = 'X-Content-Hash';

/** @property contentHash identifies the content that the site shows */
export type NewsletterOptions = { newsletter: Newsletter; log: (line: string) => void; contentHash?: string };

/** Creates the routes for sign-ups, for the pages that links in emails open, and for /healthz. */
export function createNewsletterRoutes(site: Site, { newsletter, log, contentHash }: NewsletterOptions): Hono {
  const routes = new Hono();
  const renderOutcome = createOutcomeRenderer(site);
  const links = createLinkHandlers(newsletter, renderOutcome, log);
  routes.use(NEWSLETTER_PATH, allowOrigins(newsletter.env));
  routes.post(NEWSLETTER_PATH, createSignUpHandler(newsletter, renderOutcome, log));
  // Somebody may open the URL that forms post to.
  routes.get(NEWSLETTER_PATH, (c) => c.redirect(keepQuery(c, '/'), 303));
  for (const form of SIGN_UP_FORMS) {
    routes.get(SIGNED_UP_PATHS[form], async (c) => sendPage(c, 200, await renderOutcome({ kind: 'signedUp', form })));
  }
  for (const path of Object.values(TOKEN_PATHS)) routes.use(`${path}/*`, keepSecret(site));
  routes.get(`${TOKEN_PATHS.unsubscribe}/:token`, links.unsubscribePage);
  routes.post(`${TOKEN_PATHS.unsubscribe}/:token`, links.unsubscribe);
  routes.get(`${TOKEN_PATHS.resubscribe}/:token`, links.resubscribePage);
  routes.post(`${TOKEN_PATHS.resubscribe}/:token`, links.resubscribe);
  routes.get(`${TOKEN_PATHS.confirm}/:token`, links.confirmPage);
  routes.post(`${TOKEN_PATHS.confirm}/:token`, links.confirm);
  routes.get(`${TOKEN_PATHS.renew}/:token`, links.renewPage);
  routes.post(`${TOKEN_PATHS.renew}/:token`, links.renew);
  routes.get(`${TOKEN_PATHS.newAddress}/:token`, links.newAddressPage);
  routes.post(`${TOKEN_PATHS.newAddress}/:token`, links.newAddress);
  routes.get('/healthz', (c, next) => {
    c.header(CONTENT_HASH_HEADER, contentHash);
    return next();
  });
  routes.get('/healthz', createHealthHandler(newsletter.store, log));
  return routes;
}

/**
 * Renders result pages so that a flood of them doesn't delay other responses: a page that is the same for everybody is
 * rendered once, the others one at a time with other work in between.
 */
export function createOutcomeRenderer(
  site: Site,
  render = (outcome: PageOutcome) => renderDocument(makeResultPage(outcome, site), site),
): RenderOutcome {
  const rendered = new Map<string, Promise<string>>();
  let latest = Promise.resolve('');
  return (outcome) => {
    if (outcome.kind === 'tryAgain' || 'address' in outcome || 'undo' in outcome) {
      latest = latest
        .catch(() => '')
        .then(() => setImmediate())
        .then(() => render(outcome));
      return latest;
    }
    const key = JSON.stringify(outcome);
    const page = rendered.get(key) ?? render(outcome);
    rendered.set(key, page);
    page.catch(() => rendered.delete(key));
    return page;
  };
}

function makeResultPage(outcome: PageOutcome, { content }: Site): Page {
  return {
    title: makeTitle(outcomeTitle(outcome, content), content.agency),
    description: `The newsletter of ${content.agency.name}.`,
    isSecret: outcome.kind !== 'signedUp',
    body: <SignUpResultPage outcome={outcome} />,
  };
}
