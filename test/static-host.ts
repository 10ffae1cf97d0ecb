import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileAt } from '#owner/launch-check/read-page.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/**
 * Serves a build's files and its `_headers` for every path, as any static host does: no receiver, no page of its own.
 * @param build holds `site`; asked for at each request, so that it may be made once the address is known
 */
export async function startStaticHost(build: () => string): Promise<{ url: string; stop: () => void }> {
  const server = createServer((request, response) => {
    const site = join(build(), 'site');
    const path = new URL(request.url ?? '/', 'http://static').pathname;
    const file = fileAt(site, path);
    for (const [name, value] of headersOfEverything(site)) response.setHeader(name, value);
    response.setHeader('Content-Type', TYPES[extname(path)] ?? 'text/html; charset=utf-8');
    response.writeHead(file ? 200 : 404).end(file ?? fileAt(site, '/404.html'));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

/** The rule for every path, which comes first. */
function headersOfEverything(site: string): [string, string][] {
  const [everything = ''] = readFileSync(join(site, '_headers'), 'utf8').split(/\n(?=\/)/);
  return [...everything.matchAll(/^ {2}([\w-]+): (.*)$/gm)].map(([, name, value]) => [name!, value!]);
}
