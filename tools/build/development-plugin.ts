import { getRequestListener } from '@hono/node-server';
import type { Plugin } from 'vite';

/**
 * In development, answers requests that Vite has no file for with the site's routes, and loads the page again when a
 * file changes that the server renders it from. Vite itself looks at the browser's modules alone, and replaces styles
 * without a reload.
 */
export function developmentPlugin(): Plugin {
  return {
    name: 'development',
    apply: 'serve',
    configureServer: (server) => () => {
      server.middlewares.use((request, response, next) => {
        // Loaded for each request: Vite runs it again where it has changed.
        const routes = server.ssrLoadModule('/src/server/dev.tsx');
        routes.then((module) => getRequestListener(module.default.fetch)(request, response), next);
      });
    },
    hotUpdate({ file, modules, server }) {
      if (this.environment.name !== 'ssr' || modules.length === 0 || file.endsWith('.css')) return;
      server.environments.client.hot.send({ type: 'full-reload' });
    },
  };
}
