import { join } from 'node:path';
import type { Plugin } from 'vite';
import { contentFiles, readContent } from './read-content.ts';

const ID = 'virtual:content';

/**
 * Gives the site its content as the module `virtual:content`, checked.
 * The browser's bundle may not have it: an island gets the few words it needs as props.
 * @param folder absolute path of content/
 */
export function contentPlugin(folder: string): Plugin {
  return {
    name: 'content',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load(id) {
      if (id !== `\0${ID}`) return undefined;
      if (this.environment.name === 'client') {
        this.error('content/ would be shipped to every visitor: pass the island its words as props instead');
      }
      for (const file of contentFiles(folder)) this.addWatchFile(join(folder, file));
      const content = readContent(folder);
      return Object.entries(content)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
    configureServer(server) {
      server.watcher.add(folder);
    },
    hotUpdate({ file }) {
      if (!file.startsWith(folder)) return undefined;
      const module = this.environment.moduleGraph.getModuleById(`\0${ID}`);
      if (module) this.environment.moduleGraph.invalidateModule(module);
      this.environment.hot.send({ type: 'full-reload' });
      return [];
    },
  };
}
