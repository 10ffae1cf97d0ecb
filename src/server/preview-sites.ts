import { hash } from 'node:crypto';
import type { Hono } from 'hono';
import { readBuiltSite, toPagePath } from '#build/built-site.ts';
import type { Newsletter } from '#newsletter/open-newsletter.ts';
import { addFooterLinks } from '#pages/render-page.tsx';
import { PREVIEW_PATH, readPreview } from '#publishing/content-previews.ts';
import { obtainSiteFromStore } from '#publishing/live-version.ts';
import type { SitePlaces } from '#publishing/obtain-site.ts';
import { createPreviewApp } from './routes.tsx';
import { openSiteFiles } from './site-files.ts';

type PreviewSite = { name: string; app: Hono; pages: Set<string> };

/** Creates a handler that shows drafts by their links. It returns undefined for a URL that is none of these links. */
export function createPreviewSites(options: {
  places: SitePlaces;
  newsletter: Newsletter;
  log: (line: string) => void;
}): (request: Request) => Promise<Response | undefined> {
  const { places, newsletter, log } = options;
  // The last few that were viewed, the newest first.
  let open: PreviewSite[] = [];
  const openSite = async (token: string): Promise<PreviewSite | undefined> => {
    const overlay = await readPreview(newsletter.store, token, Date.now());
    if (overlay === undefined) return undefined;
    const { name, folder } = await obtainSiteFromStore(places, newsletter.store, { overlay, before: undefined });
    const found = open.find((site) => site.name === name) ?? (await readSite(name, folder, log));
    open = [found, ...open.filter((site) => site !== found)].slice(0, KEPT);
    return found;
  };
  return async (request) => {
    const url = new URL(request.url);
    const [, token = '', path = ''] = LINK.exec(url.pathname) ?? [];
    const site = token === '' ? undefined : await openSite(token);
    if (site === undefined || !['GET', 'HEAD'].includes(request.method)) return undefined;
    // Uncompressed and whole, because its links are changed.
    const headers = { 'Accept-Encoding': 'identity' };
    const response = await site.app.request(path === '' ? '/' : path, { headers });
    return toPreview(response, site, `${PREVIEW_PATH}/${token}`);
  };
}

const KEPT = 3;
const LINK = new RegExp(`^${PREVIEW_PATH}/([\\w-]{22})(/.*)?$`);

async function readSite(name: string, folder: string, log: (line: string) => void): Promise<PreviewSite> {
  const site = readBuiltSite(folder);
  const app = createPreviewApp(addFooterLinks(site), await openSiteFiles(folder), log);
  return { name, app, pages: new Set(site.documents.map(toPagePath)) };
}

/**
 * Keeps links to pages and files within the preview, because only the preview's link tells a server which draft they
 * belong to. A preview isn't cached or listed by search engines, and no tag runs on it.
 */
async function toPreview(response: Response, { pages }: PreviewSite, prefix: string): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.set('Cache-Control', 'private, no-store');
  headers.set('X-Robots-Tag', 'noindex');
  headers.delete('ETag');
  if (!headers.get('Content-Type')?.startsWith('text/html'))
    return new Response(response.body, { status: response.status, headers });
  const html = await response.text();
  const linked = html.replaceAll(/ href="(\/[^"#?]*)([#?][^"]*)?"/g, (link, path: string, rest = '') =>
    pages.has(path) ? ` href="${prefix}${path === '/' ? '' : path}${rest}"` : link,
  );
  headers.delete('Content-Length');
  headers.delete('Content-Encoding');
  const untagged = linked.replace(/ data-tags="[^"]*"/, '').replaceAll(/(?<=["(])\/assets\//g, `${prefix}/assets/`);
  const policy = headers.get('Content-Security-Policy') ?? '';
  headers.set('Content-Security-Policy', policy.replace(hashStyle(html), hashStyle(untagged)));
  return new Response(untagged, { status: response.status, headers });
}

/** The hash by which the policy allows a page's inline styles, which name its fonts. */
function hashStyle(html: string): string {
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  return hash('sha256', style, 'base64');
}
