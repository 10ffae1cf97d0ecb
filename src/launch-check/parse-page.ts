import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DomUtils, parseDocument } from 'htmlparser2';
import { listUrlPaths, readBuiltSite } from '#build/built-site.ts';

/** What a page contains, without running its scripts. */
export type ParsedPage = {
  title: string;
  /** All text of its body. */
  text: string;
  /** The targets of the links in its `main` element. */
  mainLinks: string[];
  canonical: string | undefined;
  hasManifest: boolean;
  /** Its instructions for search engines. */
  robots: string;
};

export function parsePage(html: string): ParsedPage {
  const document = parseDocument(html);
  const findAll = (tag: string, within = document.children) => DomUtils.getElementsByTagName(tag, within);
  const readText = (tag: string) => DomUtils.textContent(findAll(tag));
  const findLink = (rel: string) => findAll('link').find(({ attribs }) => attribs.rel === rel)?.attribs.href;
  return {
    title: readText('title').trim(),
    text: readText('body'),
    mainLinks: findAll('a', findAll('main')).flatMap(({ attribs }) => attribs.href ?? []),
    canonical: findLink('canonical'),
    hasManifest: findLink('manifest') !== undefined,
    robots: findAll('meta').find(({ attribs }) => attribs.name === 'robots')?.attribs.content ?? '',
  };
}

/**
 * @param build the folder with `site` and `content.json` in it
 * @returns every page of the site with its path
 */
export function parsePages(build: string): (ParsedPage & { path: string })[] {
  const { documents } = readBuiltSite(build);
  return [...listUrlPaths(build)]
    .filter(([, file]) => documents.includes(file))
    .map(([path, file]) => ({ path, ...parsePage(readFileSync(join(build, 'site', file), 'utf8')) }));
}
