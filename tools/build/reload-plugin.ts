import type { Plugin } from 'vite';

/**
 * In development, loads the page again when a file changes that the server renders it from. Vite itself looks at the
 * browser's modules alone, and replaces styles without a reload.
 */
export function reloadPlugin(): Plugin {
  return {
    name: 'reload',
    apply: 'serve',
    hotUpdate({ file, modules, server }) {
      if (this.environment.name !== 'ssr' || modules.length === 0 || file.endsWith('.css')) return;
      server.environments.client.hot.send({ type: 'full-reload' });
    },
  };
}
