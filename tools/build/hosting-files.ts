import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { addressesOf, type BuiltSite, filesOf } from '#server/built-site.ts';
import { type SiteHeaders, siteHeaders } from '#server/headers.ts';
import type { Tag } from '#shared/content-schema.ts';
import { nginxFiles } from './nginx-files.ts';

export type Headers = Record<string, string>;

/** A path of the built site as a visitor asks for it. */
export type SiteFile = { path: string; isDocument: boolean };

/**
 * Writes what other hosts need beside the built site: `_headers` and `vercel.json` in it, nginx's in hosting/nginx.
 * @param out the folder with `site` and `server` in it
 */
export async function writeHostingFiles(out: string, site: BuiltSite, tags: Tag[]): Promise<void> {
  const files = [...addressesOf(out)].map(([path, file]) => ({ path, isDocument: file.endsWith('.html') }));
  const made = hostingFiles(siteHeaders(site, tags), files, site.settings.siteUrl, await releaseName(out));
  await mkdir(`${out}/hosting/nginx/release`, { recursive: true });
  await writeFile(`${out}/site/_headers`, made.headers);
  await writeFile(`${out}/site/vercel.json`, made.vercel);
  for (const [name, text] of Object.entries(made.nginx)) await writeFile(`${out}/hosting/nginx/${name}`, text);
}

/** By what the build holds: the same site has the same name. */
async function releaseName(out: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of filesOf(`${out}/site`).toSorted()) hash.update(file).update(await readFile(`${out}/site/${file}`));
  return hash.digest('hex').slice(0, 12);
}

/**
 * What other hosts need to answer as the site's own server does, each in the form of its host.
 * @param files every file of the built site
 * @param siteUrl the origin that the site will have, if it is known
 * @param release a name that no other build has
 * @returns the contents of `_headers` and `vercel.json`, and the files for nginx by their names
 */
function hostingFiles(
  headers: SiteHeaders,
  files: SiteFile[],
  siteUrl: string | undefined,
  release: string,
): { headers: string; vercel: string; nginx: Record<string, string> } {
  const rules: Rule[] = [
    { path: '/assets/*', headers: headers.of({ path: '/assets/any', isDocument: false }) },
    ...files
      .filter(({ path }) => !path.startsWith('/assets/'))
      .map((file) => ({ path: file.path, headers: headers.of(file) })),
  ];
  return {
    headers: headersFile(headers.everywhere, rules),
    vercel: vercelFile(headers.everywhere, rules),
    nginx: nginxFiles({ everywhere: headers.everywhere, rules, siteUrl, release }),
  };
}

/** No header stands in two rules for one path: hosts differ in which of them would win. */
export type Rule = { path: string; headers: Headers };

/**
 * Cloudflare Pages and Netlify. Sources: developers.cloudflare.com/pages/configuration/headers,
 * docs.netlify.com/routing/headers.
 */
function headersFile(everywhere: Headers, rules: Rule[]): string {
  return [{ path: '/*', headers: everywhere }, ...rules]
    .map(({ path, headers }) =>
      [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
    )
    .join('\n')
    .concat('\n');
}

/** Source: vercel.com/docs/project-configuration. */
function vercelFile(everywhere: Headers, rules: Rule[]): string {
  const headers = [{ path: '/*', headers: everywhere }, ...rules].map((rule) => ({
    source: rule.path.replace('*', '(.*)'),
    headers: Object.entries(rule.headers).map(([key, value]) => ({ key, value })),
  }));
  return `${JSON.stringify({ cleanUrls: true, trailingSlash: false, headers }, null, 2)}\n`;
}
