import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { siteFiles } from '#server/site-files.ts';

/**
 * Serves a folder of static files as the site's own server would, on a free port of this machine.
 * @param folder absolute path
 */
export async function serveFolder(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const app = new Hono().use(siteFiles(folder).handler);
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
