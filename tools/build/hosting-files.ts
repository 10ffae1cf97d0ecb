import { hash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { addressesOf, type BuiltSite } from '#server/built-site.ts';
import { listFiles } from '#content/list-files.ts';
import { siteHeaders } from '#server/headers.ts';
import type { Tag } from '#shared/content-schema.ts';
import { nginxFiles } from './nginx-files.ts';

/** No header stands in two rules for one path: hosts differ in which of them would win. */
export type Rule = { path: string; headers: Record<string, string> };

/**
 * Writes what other hosts need to answer as the site's own server does, each in the form of its host: `_headers` and
 * `vercel.json` in the built site, nginx's files in hosting/nginx.
 * @param out the folder with `site` and `server` in it
 */
export async function writeHostingFiles(out: string, site: BuiltSite, tags: Tag[]): Promise<void> {
  const { everywhere, of } = siteHeaders(site, tags);
  const rules: Rule[] = [{ path: '/assets/*', headers: of({ path: '/assets/any', isDocument: false }) }];
  for (const [path, file] of addressesOf(out)) {
    if (path.startsWith('/assets/')) continue;
    rules.push({ path, headers: of({ path, isDocument: file.endsWith('.html') }) });
  }
  const release = await releaseName(`${out}/site`);
  const all = [{ path: '/*', headers: everywhere }, ...rules];
  await writeFile(`${out}/site/_headers`, headersFile(all));
  await writeFile(`${out}/site/vercel.json`, vercelFile(all));
  await mkdir(`${out}/hosting/nginx/release`, { recursive: true });
  const files = nginxFiles({ everywhere, rules, siteUrl: site.settings.siteUrl, release });
  for (const [name, text] of Object.entries(files)) await writeFile(`${out}/hosting/nginx/${name}`, text);
}

/** By what the build holds: the same site has the same name, and no other has it. */
async function releaseName(site: string): Promise<string> {
  const files = listFiles(site).toSorted();
  const hashes = await Promise.all(files.map(async (file) => hash('sha256', await readFile(`${site}/${file}`))));
  return hash('sha256', JSON.stringify([files, hashes])).slice(0, 12);
}

/**
 * Cloudflare Pages and Netlify. Sources: developers.cloudflare.com/pages/configuration/headers,
 * docs.netlify.com/routing/headers.
 */
function headersFile(rules: Rule[]): string {
  const lines = rules.flatMap(({ path, headers }) => [
    path,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Source: vercel.com/docs/project-configuration. */
function vercelFile(rules: Rule[]): string {
  const headers = rules.map((rule) => ({
    source: rule.path.replace('*', '(.*)'),
    headers: Object.entries(rule.headers).map(([key, value]) => ({ key, value })),
  }));
  return `${JSON.stringify({ cleanUrls: true, trailingSlash: false, headers }, null, 2)}\n`;
}
