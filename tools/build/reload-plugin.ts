import type { Plugin } from 'vite';

/** In development: a change to what only the server renders reloads the page, which Vite does by itself for the rest. */
export function reloadPlugin(): Plugin {
  return {
    name: 'reload-pages',
    apply: 'serve',
    hotUpdate({ modules, server }) {
      if (this.environment.name !== 'ssr' || modules.length === 0) return;
      server.environments.client.hot.send({ type: 'full-reload' });
    },
  };
}
