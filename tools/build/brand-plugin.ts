import type { Plugin } from 'vite';
import { brandedTokens } from '#content/brand.ts';
import { readContent } from '#content/read-content.ts';

/**
 * Puts the owner's colours and fonts into the design's tokens.
 * @param folder absolute path of content/
 */
export function brandPlugin(folder: string): Plugin {
  return {
    name: 'brand',
    enforce: 'pre',
    transform(_, id) {
      if (!id.split('?', 1)[0]!.endsWith('/shared/tokens.css')) return undefined;
      const css = brandedTokens(readContent(folder).brand);
      // Mails read the tokens as text.
      const code = id.endsWith('?raw') ? `export default ${JSON.stringify(css)};` : css;
      // The server's other sources are mapped; these have no lines of their own.
      return { code, map: { mappings: '' } };
    },
  };
}
