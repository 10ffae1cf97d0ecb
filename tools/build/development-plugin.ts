import { getRequestListener } from '@hono/node-server';
import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { writeJsonSchemas } from '#content/schemas/json-schemas.ts';

/**
 * In development, lets the site's routes handle requests for which Vite has no file. Islands keep their state while
 * they are edited (Fast Refresh); the page reloads when a file changes that only the server uses.
 * @param contentFolder absolute path of content/
 */
export function developmentPlugin(contentFolder: string): Plugin {
  return {
    name: 'development',
    apply: 'serve',
    configureServer(server) {
      writeJsonSchemas(join(server.config.root, 'content/schemas'));
      server.watcher.add(contentFolder);
      // plugin-react would add an inline script, which the CSP blocks.
      server.middlewares.use('/@react-preamble', (_, response) => {
        response.setHeader('Content-Type', 'text/javascript').end(react.preambleCode.replace('__BASE__', '/'));
      });
      return () => {
        server.middlewares.use((request, response, next) => {
          // Loaded for each request, since Vite reloads changed modules.
          const routes = server.ssrLoadModule('/src/server/dev.tsx');
          routes.then((module) => getRequestListener(module.default.fetch)(request, response), next);
        });
      };
    },
    hotUpdate({ file, modules, server }) {
      if (this.environment.name !== 'ssr') return undefined;
      const { client } = server.environments;
      if (file.startsWith(`${contentFolder}/`)) {
        this.environment.moduleGraph.invalidateAll();
        client.hot.send({ type: 'full-reload' });
        return [];
      }
      // Vite replaces styles itself, and Fast Refresh updates browser modules.
      const isInBrowser = (client.moduleGraph.getModulesByFile(file)?.size ?? 0) > 0;
      if (modules.length > 0 && !isInBrowser && !file.endsWith('.css')) client.hot.send({ type: 'full-reload' });
      return undefined;
    },
  };
}
