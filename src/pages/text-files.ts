import { llmsTxt, robotsTxt, securityTxt, sitemapXml } from '#layout/crawler-files.ts';
import type { Site } from '#layout/page.ts';
import { webManifest } from '#layout/web-manifest.ts';
import { listSitePages } from './index.tsx';

/**
 * Writes the files that crawlers and browsers read besides the pages.
 * @param now security.txt expires 360 days later
 * @returns the text of each file by its path in the site
 */
export function writeTextFiles({ content, settings: { siteUrl } }: Site, now: Date): Map<string, string> {
  const pages = listSitePages(content);
  const files = new Map([
    ['robots.txt', robotsTxt(siteUrl)],
    ['llms.txt', llmsTxt(siteUrl, pages, content)],
    ['.well-known/security.txt', securityTxt(content.agency, siteUrl, now)],
    ['manifest.webmanifest', JSON.stringify(webManifest(content))],
  ]);
  // A sitemap needs absolute URLs, and a site without SITE_URL has none.
  if (siteUrl !== undefined) files.set('sitemap.xml', sitemapXml(siteUrl, pages));
  return files;
}
