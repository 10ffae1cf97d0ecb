import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { MiddlewareHandler } from 'hono';
import { every } from 'hono/combine';
import { etag } from 'hono/etag';

/**
 * Serves files of the built site, as the build compressed them, with ranges; any other address goes on to the routes.
 * @param folder absolute path of the built site
 * @param addresses which of its files are served, by address
 */
export function siteFiles(folder: string, addresses: Map<string, string>): MiddlewareHandler {
  const handlers = new Map(
    [...addresses].map(([address, file]) => {
      const serve = serveStatic({ path: join(folder, file), precompressed: true });
      // What has a hash in its name is never asked for again.
      return [address, address.startsWith('/assets/') ? serve : every(etagOfWhole, serve)];
    }),
  );
  return (c, next) => {
    const handler = handlers.get(decoded(c.req.path));
    if (handler === undefined) return next();
    if (c.req.header('If-Range') !== undefined) c.req.raw = withoutRange(c.req.raw);
    return handler(c, next);
  };
}

const withEtag = etag();

/** A part of a file has no ETag of its own. */
const etagOfWhole: MiddlewareHandler = (c, next) => (c.req.header('Range') ? next() : withEtag(c, next));

/** Whether a client's part is still valid cannot be known here: it gets the whole (RFC 9110, section 13.1.5). */
function withoutRange(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete('Range');
  return new Request(request.url, { method: request.method, headers });
}

/** @returns the path as the file is named; a path that cannot be decoded names no file */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
