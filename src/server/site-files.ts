import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { MiddlewareHandler } from 'hono';
import { addressOf, filesOf } from './built-site.ts';
import { byteRange } from './byte-range.ts';
import { SPECULATION_RULES } from './headers.ts';

type SiteFile = {
  type: string;
  bodies: { encoding: string | undefined; bytes: Uint8Array<ArrayBuffer>; etag: string }[];
};

export type SiteFiles = {
  /** Of every file that is served. */
  paths: string[];
  handler: MiddlewareHandler;
};

/**
 * Serves the built site from memory, as the build compressed it, with ETags and ranges; whatever is not a file of it goes
 * on to the routes.
 * @param folder absolute path of the built site
 */
export function siteFiles(folder: string): SiteFiles {
  const files = readSite(folder);
  const handler: MiddlewareHandler = async (c, next) => {
    const file = c.req.method === 'GET' || c.req.method === 'HEAD' ? files.get(c.req.path) : undefined;
    if (file === undefined) return next();
    const encoding = preferredEncoding(c.req.header('Accept-Encoding'));
    const body = file.bodies.find((each) => each.encoding === encoding) ?? file.bodies.at(-1)!;
    const size = body.bytes.byteLength;
    const headers: Record<string, string> = {
      'Accept-Ranges': 'bytes',
      'Content-Type': file.type,
      ETag: body.etag,
      Vary: 'Accept-Encoding',
    };
    if (isUnchanged(c.req.header('If-None-Match'), body.etag)) return c.body(null, 304, headers);
    if (body.encoding) headers['Content-Encoding'] = body.encoding;
    headers['Content-Length'] = String(size);
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);

    const isSame = [undefined, body.etag].includes(c.req.header('If-Range'));
    const range = isSame ? byteRange(c.req.header('Range'), size) : undefined;
    if (range === undefined) return c.body(body.bytes, 200, headers);
    if (range === 'unsatisfiable') return c.body(null, 416, { 'Content-Range': `bytes */${size}` });
    headers['Content-Length'] = String(range.end - range.start);
    headers['Content-Range'] = `bytes ${range.start}-${range.end - 1}/${size}`;
    return c.body(body.bytes.subarray(range.start, range.end), 206, headers);
  };
  return { paths: [...files.keys()], handler };
}

/** In the order of preference. */
export const ENCODINGS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
];

/** @param header what the client accepts, as it says it in Accept-Encoding */
export function preferredEncoding(header: string | undefined): string | undefined {
  return ENCODINGS.find(({ encoding }) => accepts(header, encoding))?.encoding;
}

function readSite(folder: string): Map<string, SiteFile> {
  const files = new Map<string, SiteFile>();
  for (const file of filesOf(folder)) {
    const path = addressOf(file);
    const type = path === SPECULATION_RULES.path ? SPECULATION_RULES.type : TYPES[extname(file)];
    // Other hosts read these two; here the routes answer what is not there.
    if (type === undefined || file === 'vercel.json' || file === '404.html') continue;
    files.set(path, { type, bodies: bodies(join(folder, file)) });
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

function accepts(header: string | undefined, encoding: string): boolean {
  return (header ?? '').split(',').some((item) => {
    const [name, quality] = item.split(';').map((part) => part.trim());
    return name === encoding && quality !== 'q=0';
  });
}

/** @param header If-None-Match: `*`, or a list of tags, weak ones among them (RFC 9110, section 13.1.2) */
function isUnchanged(header: string | undefined, etag: string): boolean {
  return header === '*' || (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
