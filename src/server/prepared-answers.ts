import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { SiteHeaders } from './headers.ts';

export type PreparedAnswers = {
  /**
   * Answers a GET or HEAD of a page at once.
   * @returns the page's address without a query, or undefined where the request is for the routes
   */
  answer: (request: IncomingMessage, response: ServerResponse) => string | undefined;
  /** The page for an address where there is nothing, with the headers that describe its body. */
  notFound: (acceptEncoding: string | undefined) => { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> };
};

/**
 * The site's pages, in memory as the build compressed them, with every header ready.
 * @param folder absolute path of the built site
 * @param pages the file of each page by its address; `/404` answers where there is nothing
 */
export function prepareAnswers(folder: string, pages: Map<string, string>, headers: SiteHeaders): PreparedAnswers {
  const answers = new Map(
    [...pages].map(([path, file]) => {
      const ofPage = { ...headers.everywhere, ...headers.of({ path, isDocument: true }) };
      return [path, readVariants(join(folder, file), ofPage)] as const;
    }),
  );
  const missing = answers.get('/404')!;
  answers.delete('/404');
  return {
    answer: ({ method, url = '', headers: asked }, response) => {
      if (method !== 'GET' && method !== 'HEAD') return undefined;
      const query = url.indexOf('?');
      const path = query === -1 ? url : url.slice(0, query);
      const variants = answers.get(path);
      if (variants === undefined) return undefined;
      const variant = variants[preferredEncoding(asked['accept-encoding'])];
      if (isUnchanged(asked['if-none-match'], variant.etag)) response.writeHead(304, variant.headersUnchanged).end();
      else response.writeHead(200, variant.headers).end(variant.body, 'latin1');
      return path;
    },
    notFound: (acceptEncoding) => {
      const { body, contentHeaders } = missing[preferredEncoding(acceptEncoding)];
      return { body: Buffer.from(body, 'latin1'), headers: contentHeaders };
    },
  };
}

type Encoding = 'br' | 'gzip' | 'identity';

type Variant = {
  etag: string;
  contentHeaders: { 'Content-Type': string; Vary: string; 'Content-Encoding'?: string };
  /** Of an answer with its body, and of 304 without: names and values in turn. */
  headers: string[];
  headersUnchanged: string[];
  /** Its bytes as Latin-1: Node writes a string together with the headers, a buffer after them. */
  body: string;
};

function readVariants(file: string, headers: Record<string, string>): Record<Encoding, Variant> {
  const hash = createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 16);
  const variant = (encoding: Encoding, ending: string): Variant => {
    const body = readFileSync(file + ending);
    const contentHeaders = {
      'Content-Type': 'text/html; charset=utf-8',
      Vary: 'Accept-Encoding',
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    };
    const etag = `"${hash}-${encoding}"`;
    return {
      etag,
      contentHeaders,
      headers: flat({ ...headers, ...contentHeaders, ETag: etag, 'Content-Length': String(body.byteLength) }),
      headersUnchanged: flat({ ...headers, Vary: contentHeaders.Vary, ETag: etag }),
      body: body.toString('latin1'),
    };
  };
  return { br: variant('br', '.br'), gzip: variant('gzip', '.gz'), identity: variant('identity', '') };
}

function flat(headers: Record<string, string>): string[] {
  return Object.entries(headers).flat();
}

/** @param header Accept-Encoding; an encoding with a quality of nought is one that the client refuses */
function preferredEncoding(header: string = ''): Encoding {
  const isAccepted = (encoding: Encoding) =>
    header.split(',').some((item) => {
      const [name = '', quality] = item.toLowerCase().split(/\s*;\s*q\s*=\s*/);
      return name.trim() === encoding && Number(quality ?? 1) > 0;
    });
  return (['br', 'gzip'] as const).find(isAccepted) ?? 'identity';
}

/** @param header If-None-Match: `*`, or a list of tags, weak ones among them (RFC 9110, section 13.1.2) */
function isUnchanged(header: string | undefined, etag: string): boolean {
  return header === '*' || (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
