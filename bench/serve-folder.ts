import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';

/**
 * Serves a folder of static files on a free port of this machine, compressed where it holds compressed files.
 * @param folder absolute path
 */
export async function serveFolder(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const app = new Hono().use(serveStatic({ root: folder, precompressed: true }));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  if (!server.listening) await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
