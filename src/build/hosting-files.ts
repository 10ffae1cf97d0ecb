import { writeFile } from 'node:fs/promises';
import { listUrlPaths, type BuiltSite } from './built-site.ts';
import { makeSiteHeaders, UPDATE_PICTURES } from './headers.ts';
import type { Tag } from '#shared/tag.ts';

/** No path gets one header by two rules: hosts differ in which would win. */
type Rule = { path: string; headers: Record<string, string> };

/**
 * Writes what other hosts need to answer like the site's own server, in the formats of these hosts: `_headers` and
 * `vercel.json` in the built site.
 * @param out the folder with `site` and `server` in it
 */
export async function writeHostingFiles(out: string, site: BuiltSite, tags: Tag[]): Promise<void> {
  const { everywhere, forPath } = makeSiteHeaders(site, tags);
  const folders = ['/assets/', UPDATE_PICTURES];
  const rules: Rule[] = folders.map((path) => ({
    path: `${path}*`,
    headers: forPath(path),
  }));
  for (const path of listUrlPaths(out).keys()) {
    if (folders.some((folder) => path.startsWith(folder))) continue;
    rules.push({ path, headers: forPath(path) });
  }
  const all = [{ path: '/*', headers: everywhere }, ...rules];
  await writeFile(`${out}/site/_headers`, formatHeadersFile(all));
  await writeFile(`${out}/site/vercel.json`, formatVercelFile(all));
}

/**
 * The format of Cloudflare Pages and Netlify. Sources: developers.cloudflare.com/pages/configuration/headers,
 * docs.netlify.com/routing/headers.
 */
function formatHeadersFile(rules: Rule[]): string {
  const lines = rules.flatMap(({ path, headers }) => [
    path,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

/** The format of Vercel. Source: vercel.com/docs/project-configuration. */
function formatVercelFile(rules: Rule[]): string {
  const headers = rules.map((rule) => ({
    source: rule.path.replace('*', '(.*)'),
    headers: Object.entries(rule.headers).map(([key, value]) => ({ key, value })),
  }));
  return `${JSON.stringify({ cleanUrls: true, trailingSlash: false, headers }, null, 2)}\n`;
}
