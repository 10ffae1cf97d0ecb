import { Hono, type NotFoundHandler } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import type { Site } from '#layout/page.ts';
import { listSitePages } from '#pages/index.tsx';
import { renderNotFoundPage, renderPage } from '#pages/render-page.tsx';
import { writeTextFiles } from '#pages/text-files.ts';
import { keepQuery } from './keep-query.ts';

/** The pages and the text files of a site, rendered for each request. */
export function createPageRoutes(site: Site): { routes: Hono; notFound: NotFoundHandler } {
  const routes = new Hono();
  for (const { path } of listSitePages(site.content)) {
    routes.get(path, async (c) => c.html((await renderPage(site, path))!));
    // A page has one URL.
    if (path !== '/') routes.get(`${path}/`, (c) => c.redirect(keepQuery(c, path), 301));
  }
  for (const [path, text] of writeTextFiles(site, new Date())) {
    routes.get(`/${path}`, (c) => c.body(text, 200, { 'Content-Type': getMimeType(path)! }));
  }
  return { routes, notFound: async (c) => c.html(await renderNotFoundPage(site), 404) };
}
