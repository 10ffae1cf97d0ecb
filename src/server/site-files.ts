import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context, MiddlewareHandler, NotFoundHandler } from 'hono';
import { accepts } from 'hono/accepts';
import { tryDecodeURIComponent } from 'hono/utils/url';
import { keepQuery } from './keep-query.ts';
import mime from 'mime';
import { listUrlPaths, readBuiltSite } from '#build/built-site.ts';

export type SiteFiles = {
  /** Whether there is a file at this path. */
  has: (path: string) => boolean;
  /** The text of the file at a path; undefined if there is none. */
  read: (path: string) => string | undefined;
  /** Serves the build's files, compressed and with ranges; other paths are left to the routes. */
  serve: MiddlewareHandler;
  /** The built 404 page. */
  notFound: NotFoundHandler;
};

/**
 * Prepares to serve the files of a built site.
 * @param build absolute path of the folder with `site` and `content.json` in it
 */
export async function openSiteFiles(build: string): Promise<SiteFiles> {
  const folder = join(build, 'site');
  const { documents } = readBuiltSite(build);
  const files = new Map<string, ServedFile>();
  const add = async (urlPath: string, name: string) => {
    const path = join(folder, name);
    const isPage = documents.includes(name);
    const serve = isPage ? await keepPage(path) : serveFromDisk(path);
    files.set(urlPath, { etag: await hashFile(path), isPage, serve });
  };
  for (const [urlPath, name] of listUrlPaths(build)) await add(urlPath, name);
  const missing = await keepPage(join(folder, '404.html'), 404);
  files.delete('/404');
  // A page has one URL.
  const redirectToPage = (c: Context, urlPath: string) =>
    urlPath.endsWith('/') && files.get(urlPath.slice(0, -1))?.isPage
      ? c.redirect(keepQuery(c, encodeURI(urlPath.slice(0, -1))), 301)
      : undefined;
  return {
    has: (urlPath) => files.has(decodePath(urlPath)),
    read: (urlPath) => (files.has(urlPath) ? readFileSync(join(folder, urlPath), 'utf8') : undefined),
    serve: async (c, next) => {
      const urlPath = decodePath(c.req.path);
      const file = files.get(urlPath);
      if (file === undefined) return redirectToPage(c, urlPath) ?? next();
      if (!['GET', 'HEAD'].includes(c.req.method)) return c.text('Method Not Allowed', 405, { Allow: 'GET, HEAD' });
      // A page has one URL: its path with encoded letters or dot segments is not found.
      if (file.isPage && readSentPath(c) !== encodeURI(urlPath)) return c.notFound();
      c.header('ETag', file.etag);
      // Checked before the file is opened, because a response without a body would never close it.
      if (isUnchanged(c.req.header('If-None-Match'), file.etag)) {
        return c.body(null, 304, { Vary: 'Accept-Encoding' });
      }
      return file.serve(c, next);
    },
    notFound: (c) => {
      // The ETag has been set already if a file was removed.
      c.header('ETag', undefined);
      return missing(c);
    },
  };
}

/** Links may have an umlaut as two characters (NFD), as a Mac writes it. */
function decodePath(path: string): string {
  return tryDecodeURIComponent(path).normalize('NFC');
}

type ServedFile = { etag: string; isPage: boolean; serve: MiddlewareHandler };

/** Keeps a page in memory, compressed. */
async function keepPage(path: string, status: 200 | 404 = 200): Promise<(c: Context) => Promise<Response>> {
  const read = async (file: string) => new Uint8Array(await readFile(file));
  const page = { br: await read(`${path}.br`), gzip: await read(`${path}.gz`), identity: await read(path) };
  return async (c) => {
    const encoding = chooseEncoding(c);
    const body = page[encoding];
    if (encoding !== 'identity') c.header('Content-Encoding', encoding);
    return c.body(body, status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': String(body.byteLength),
      Vary: 'Accept-Encoding',
    });
  };
}

/** Reads a file, or a range of it, for each request. */
function serveFromDisk(path: string): MiddlewareHandler {
  const serve = serveStatic({ path, precompressed: true });
  return async (c, next) => {
    // The file may have been deleted since the server started.
    if (!existsSync(path)) return next();
    const { headers } = c.req.raw;
    // serveStatic reads neither qualities nor If-Range, and treats any Range as valid. Without a strong ETag a part may
    // be of another version, so the whole file is sent (RFC 9110, sections 13.1.5 and 14.2).
    if (headers.has('If-Range') || !isOneRange(headers.get('Range') ?? '')) headers.delete('Range');
    headers.set('Accept-Encoding', chooseEncoding(c));
    const response = await serve(c, next);
    // serveStatic knows the types of web files, but not those of documents such as .docx and .vcf.
    if (response?.headers.get('Content-Type') === 'application/octet-stream') {
      response.headers.set('Content-Type', nameType(path));
    }
    return response;
  };
}

function nameType(path: string): string {
  const type = mime.getType(path) ?? 'application/octet-stream';
  // The registered name (RFC 6350) of what mime calls x-vcard.
  return type.replace('x-vcard', 'vcard').replace(/^text\/.*/, '$&; charset=utf-8');
}

/** A range that ends before it begins is invalid, and ignored (RFC 9110, section 14.1.1). */
function isOneRange(header: string): boolean {
  const [range, first, last] = /^bytes=(?:(\d+)-(\d*)|-\d+)$/.exec(header) ?? [];
  return range !== undefined && !(last && Number(last) < Number(first));
}

function chooseEncoding(c: Context): 'br' | 'gzip' | 'identity' {
  return accepts(c, {
    header: 'Accept-Encoding',
    supports: ['br', 'gzip'],
    default: 'identity',
    match: (accepted, { supports }) =>
      supports.find((encoding) => accepted.some(({ type, q }) => type.toLowerCase() === encoding && q > 0)) ??
      'identity',
  }) as 'br' | 'gzip' | 'identity';
}

/** @param header If-None-Match: `*`, or a list of tags, some of which may be weak (RFC 9110, section 13.1.2) */
function isUnchanged(header: string | undefined, etag: string): boolean {
  const withoutWeak = (tag: string) => tag.replace(/^W\//, '');
  return header === '*' || (header ?? '').split(',').some((tag) => withoutWeak(tag.trim()) === withoutWeak(etag));
}

/** The ETag is weak, because all encodings of a file share it. Reads in chunks: a video may not fit in memory. */
async function hashFile(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return `W/"${digest.digest('base64url').slice(0, 16)}"`;
}

/** @returns the path as the client sent it, before a URL parser resolves it */
function readSentPath(c: Context): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  const sent = incoming?.url?.startsWith('/') ? incoming.url : new URL(c.req.url).pathname;
  return sent.split('?', 1)[0]!;
}
