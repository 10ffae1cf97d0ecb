import { readFile } from 'node:fs/promises';
import { type Plugin, transformWithOxc } from 'vite';

const QUERY = '?script';

/**
 * Compiles a browser program to JavaScript that is imported as a string, as in
 * `import drafts from '#desk/script/drafts.ts?script'`.
 */
export const scriptPlugin: Plugin = {
  name: 'script-as-text',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith(QUERY)) return null;
    const file = id.slice(0, -QUERY.length);
    const { code } = await transformWithOxc(await readFile(file, 'utf8'), file);
    return `export default ${JSON.stringify(code)}`;
  },
};
