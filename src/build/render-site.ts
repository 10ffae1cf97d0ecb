/**
 * A module of the build's code, which the content stage and the desk load by its path (load-renderer.ts): outside a
 * bundle, Node can load neither components nor their styles.
 */
import { listSitePages } from '#pages/index.tsx';
import { addFooterLinks, renderNotFoundPage, renderPage } from '#pages/render-page.tsx';
import { writeTextFiles } from '#pages/text-files.ts';
import { type BuiltSite, toPageFile } from './built-site.ts';

export { listSitePages };

/** Renders a page of a site: the document, or undefined if there is no page at this path. */
export function renderSitePage(built: BuiltSite, path: string): Promise<string | undefined> {
  return renderPage(addFooterLinks(built), path);
}

/** Renders every page and the text files. @returns their text, by their paths in the site */
export async function renderSite(built: BuiltSite): Promise<Map<string, string>> {
  const site = addFooterLinks(built);
  const files = writeTextFiles(site, new Date());
  for (const { path } of listSitePages(site.content)) files.set(toPageFile(path), (await renderPage(site, path))!);
  // Static hosts serve it for unknown paths.
  return files.set(toPageFile('/404'), await renderNotFoundPage(site));
}
