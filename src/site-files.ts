import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { MiddlewareHandler } from 'hono';
import { SPECULATION_RULES } from './headers.ts';
import { addressOf } from './site-address.ts';

type SiteFile = { type: string; bodies: { encoding: string | undefined; bytes: Uint8Array<ArrayBuffer>; etag: string }[] };

/**
 * Serves the built site from memory, as the build compressed it, with ETags; whatever is not a file of it goes on to the routes.
 * @param folder absolute path of the built site
 */
export function siteFiles(folder: string): MiddlewareHandler {
  const files = readSite(folder);
  return async (c, next) => {
    const file = c.req.method === 'GET' || c.req.method === 'HEAD' ? files.get(c.req.path) : undefined;
    if (file === undefined) return next();
    const body = file.bodies.find(({ encoding }) => accepts(c.req.header('Accept-Encoding'), encoding));
    if (body === undefined) return next();
    const headers: Record<string, string> = {
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
    const type = path === SPECULATION_RULES.path ? SPECULATION_RULES.type : TYPES[extname(path)];
    if (type === undefined || path === '/vercel.json') continue;
    files.set(addressOf(path), { type, bodies: bodies(join(folder, path)) });
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

function bodies(file: string): SiteFile['bodies'] {
  const bytes = readFileSync(file);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  const compressed = ENCODINGS.filter(({ ending }) => existsSync(file + ending)).map(({ encoding, ending }) => ({
    encoding,
    bytes: readFileSync(file + ending),
    etag: `"${hash}-${encoding}"`,
  }));
  return [...compressed, { encoding: undefined, bytes, etag: `"${hash}"` }];
}

/** In the order of preference. */
const ENCODINGS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
];

function accepts(header: string | undefined, encoding: string | undefined): boolean {
  if (encoding === undefined) return true;
  return (header ?? '').split(',').some((item) => {
    const [name, quality] = item.split(';').map((part) => part.trim());
    return name === encoding && quality !== 'q=0';
  });
}
