import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context, MiddlewareHandler, NotFoundHandler } from 'hono';
import { accepts } from 'hono/accepts';
import { listAddresses, readBuiltSite } from './built-site.ts';

export type SiteFiles = {
  /** Whether there is a file at this address. */
  has: (address: string) => boolean;
  /** Serves files as the build compressed them, with ranges; any other address goes on to the routes. */
  serve: MiddlewareHandler;
  /** The built page for an address where there is nothing, with 404. */
  notFound: NotFoundHandler;
};

/**
 * Makes the files of a built site ready to be served.
 * @param build absolute path of the folder with `site` and `server` in it
 */
export async function openSiteFiles(build: string): Promise<SiteFiles> {
  const folder = join(build, 'site');
  const { documents } = readBuiltSite(build);
  const files = new Map<string, ServedFile>();
  const add = async (address: string, name: string) => {
    const path = join(folder, name);
    const serve = serveStatic({ path, precompressed: true });
    const page = documents.includes(name) ? await readPage(path) : undefined;
    files.set(address, { etag: await hashFile(path), serve, page });
  };
  for (const [address, name] of listAddresses(build)) await add(address, name);
  const missing = files.get('/404');
  files.delete('/404');
  return {
    has: (address) => files.has(address),
    serve: async (c, next) => {
      const address = decode(c.req.path);
      if (!files.has(address) && ADDED_PICTURE.test(address) && existsSync(join(folder, address))) {
        await add(address, address);
      }
      const file = files.get(address);
      if (file === undefined || !['GET', 'HEAD'].includes(c.req.method)) return next();
      // A page has one address: the same with encoded letters or dot segments is another one.
      if (file.page && readSentPath(c) !== encodeURI(address)) return c.notFound();
      return serveFile(file, c, next);
    },
    notFound: async (c) => {
      for (const name of ['If-None-Match', 'Range']) c.req.raw.headers.delete(name);
      const page = missing && (await serveFile(missing, c, async () => {}));
      if (!page) return c.text('404 Not Found', 404);
      for (const name of ['ETag', 'Last-Modified']) page.headers.delete(name);
      return new Response(page.body, { status: 404, headers: page.headers });
    },
  };
}

/** The owner's desk adds pictures of updates to the built site while it is served. */
const ADDED_PICTURE = /^\/updates\/[a-z0-9-]+\.(jpg|png|gif)$/;

type ServedFile = { etag: string; serve: MiddlewareHandler; page: PageBytes | undefined };

/** A page, kept in memory as the build compressed it; other files are read when they are asked for. */
type PageBytes = Record<Encoding, Uint8Array<ArrayBuffer>>;

type Encoding = 'br' | 'gzip' | 'identity';

async function readPage(path: string): Promise<PageBytes> {
  const read = async (file: string) => new Uint8Array(await readFile(file));
  return { br: await read(`${path}.br`), gzip: await read(`${path}.gz`), identity: await read(path) };
}

async function serveFile(file: ServedFile, c: Context, next: () => Promise<void>): Promise<Response | void> {
  const { etag, serve, page } = file;
  c.header('ETag', etag);
  // Before the file is opened: an answer without a body would never close it.
  if (isUnchanged(c.req.header('If-None-Match'), etag)) return c.body(null, 304, { Vary: 'Accept-Encoding' });
  const { headers } = c.req.raw;
  // serveStatic reads neither qualities nor If-Range, and takes any Range for one. Without a strong ETag a part may be of
  // another version, so that the whole file is sent (RFC 9110, sections 13.1.5 and 14.2).
  if (headers.has('If-Range') || !isOneRange(headers.get('Range') ?? '')) headers.delete('Range');
  const encoding = chooseEncoding(c);
  if (page && !headers.has('Range')) {
    const body = page[encoding];
    if (encoding !== 'identity') c.header('Content-Encoding', encoding);
    const length = String(body.byteLength);
    return c.body(body, 200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': length,
      Vary: 'Accept-Encoding',
    });
  }
  headers.set('Accept-Encoding', encoding);
  return (await serve(c, next)) ?? undefined;
}

/** A range that ends before it begins is invalid, and ignored (RFC 9110, section 14.1.1). */
function isOneRange(header: string): boolean {
  const [range, first, last] = /^bytes=(?:(\d+)-(\d*)|-\d+)$/.exec(header) ?? [];
  return range !== undefined && !(last && Number(last) < Number(first));
}

function chooseEncoding(c: Context): Encoding {
  return accepts(c, {
    header: 'Accept-Encoding',
    supports: ['br', 'gzip'],
    default: 'identity',
    match: (accepted, { supports }) =>
      supports.find((encoding) => accepted.some(({ type, q }) => type.toLowerCase() === encoding && q > 0)) ??
      'identity',
  }) as Encoding;
}

/** @param header If-None-Match: `*`, or a list of tags, weak ones among them (RFC 9110, section 13.1.2) */
function isUnchanged(header: string | undefined, etag: string): boolean {
  const withoutWeak = (tag: string) => tag.replace(/^W\//, '');
  return header === '*' || (header ?? '').split(',').some((tag) => withoutWeak(tag.trim()) === withoutWeak(etag));
}

/** Weak, since the compressed forms of a file share it. */
async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return `W/"${hash.digest('base64url').slice(0, 16)}"`;
}

/** @returns the path as the file is named; a path that cannot be decoded names no file */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

/** @returns the path as the client wrote it, before a URL parser resolved it */
function readSentPath(c: Context): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
  const sent = incoming?.url?.startsWith('/') ? incoming.url : new URL(c.req.url).pathname;
  return sent.split('?', 1)[0]!;
}
