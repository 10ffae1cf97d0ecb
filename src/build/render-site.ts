/**
 * The entry of a bundle, which the content stage and the desk load by its path (load-renderer.ts): without bundling,
 * Node can load neither components nor their styles.
 */
import { listSitePages } from '#pages/index.tsx';
import { addFooterLinks, renderNotFoundPage, renderPage } from '#pages/render-page.tsx';
import { writeTextFiles } from '#pages/text-files.ts';
import { type BuiltSite, toPageFile } from './built-site.ts';

export { listSitePages };

/** Renders a page of a site. @returns the document; undefined if there is no page at this path */
export function renderSitePage(built: BuiltSite, path: string): Promise<string | undefined> {
  return renderPage(addFooterLinks(built), path);
}

/** Renders every page and the text files. @returns their contents, by their paths in the site */
export async function renderSite(built: BuiltSite): Promise<Map<string, string>> {
  const site = addFooterLinks(built);
  const files = writeTextFiles(site, new Date());
  for (const { path } of listSitePages(site.content)) files.set(toPageFile(path), (await renderPage(site, path))!);
  // Static hosts serve this page for unknown paths.
  return files.set(toPageFile('/404'), await renderNotFoundPage(site));
}
