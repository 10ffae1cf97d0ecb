import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import { cacheControl } from './headers.ts';

type Body = { encoding: string | undefined; bytes: Uint8Array<ArrayBuffer>; etag: string };
type SiteFile = { type: string; bodies: () => Body[] };

/**
 * Serves the built site from memory, compressed once when first asked for, with ETags; whatever is not a file of it goes on to the routes.
 * @param folder absolute path of the built site
 */
export function siteFiles(folder: string): MiddlewareHandler {
  const files = readSite(folder);
  return async (c, next) => {
    const file = c.req.method === 'GET' || c.req.method === 'HEAD' ? files.get(c.req.path) : undefined;
    if (file === undefined) return next();
    const body = file.bodies().find(({ encoding }) => accepts(c.req.header('Accept-Encoding'), encoding));
    if (body === undefined) return next();
    const headers: Record<string, string> = {
      'Cache-Control': cacheControl(c.req.path),
      'Content-Type': file.type,
      ETag: body.etag,
      Vary: 'Accept-Encoding',
    };
    if (c.req.header('If-None-Match')?.includes(body.etag)) return c.body(null, 304, headers);
    if (body.encoding) headers['Content-Encoding'] = body.encoding;
    headers['Content-Length'] = String(body.bytes.byteLength);
    return c.req.method === 'HEAD' ? c.body(null, 200, headers) : c.body(body.bytes, 200, headers);
  };
}

function readSite(folder: string): Map<string, SiteFile> {
  const files = new Map<string, SiteFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`;
    const type = TYPES[extname(path)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(folder, path));
    let made: Body[] | undefined;
    // Compressing the whole site at its best takes longer than everything else that a start does.
    files.set(urlOf(path), { type, bodies: () => (made ??= bodies(bytes, type)) });
  }
  return files;
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

/** `/index.html` is `/`, `/privacy-policy.html` is `/privacy-policy`: pages have one address each. */
function urlOf(path: string): string {
  return path.endsWith('/index.html') ? path.slice(0, -'index.html'.length) : path.replace(/\.html$/, '');
}

function bodies(bytes: Uint8Array, type: string): Body[] {
  const compressible = /^text|json|svg|xml|javascript/.test(type);
  const variants: [string | undefined, Uint8Array][] = compressible
    ? [
        ['br', brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })],
        ['gzip', gzipSync(bytes, { level: 9 })],
        [undefined, bytes],
      ]
    : [[undefined, bytes]];
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  return variants.map(([encoding, body]) => ({
    encoding,
    bytes: new Uint8Array(body),
    etag: `"${hash}${encoding ? `-${encoding}` : ''}"`,
  }));
}

function accepts(header: string | undefined, encoding: string | undefined): boolean {
  if (encoding === undefined) return true;
  return (header ?? '').split(',').some((item) => {
    const [name, quality] = item.split(';').map((part) => part.trim());
    return name === encoding && quality !== 'q=0';
  });
}
