import { renderDocument } from '#layout/document.tsx';
import { makeTitle } from '#layout/page-metadata.tsx';
import type { Site } from '#layout/page.ts';
import { listFooterLinks, listSitePages } from './index.tsx';
import { NotFoundPage } from './not-found/not-found-page.tsx';

/** Adds the footer links, which are derived from the pages. */
export function addFooterLinks<Made extends Omit<Site, 'footerLinks'>>(made: Made): Made & Site {
  return { ...made, footerLinks: listFooterLinks(made.content) };
}

/** @returns the document of the page at a path, such as `/privacy-policy`; undefined if there is none */
export async function renderPage(site: Site, path: string): Promise<string | undefined> {
  const page = listSitePages(site.content).find((each) => each.path === path);
  return page && renderDocument(page, site);
}

export function renderNotFoundPage(site: Site): Promise<string> {
  const { agency, pages } = site.content;
  const page = {
    title: makeTitle(pages.notFound.title, agency),
    description: `There is no page at this address on the website of ${agency.name}.`,
    // The address may be a wrongly copied link from an email, with a token that works.
    isSecret: true,
    body: <NotFoundPage />,
  };
  return renderDocument(page, site);
}
