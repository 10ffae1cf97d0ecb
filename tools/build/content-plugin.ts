import type { Plugin } from 'vite';
import type { Content } from '#shared/content-schema.ts';
import { makeBrandColours, resolveColours } from '#content/brand-colours.ts';
import { writeFontStack, writeTokensCss } from '#content/tokens-css.ts';
import { hashQuestion } from '#content/question-version.ts';
import { readContent } from '#content/read-content.ts';

/**
 * Gives the site its content, checked, as the modules below. The browser's bundle may have the few parts that consent
 * needs, each loaded only where it is used; an island gets the few words it needs as props.
 * @param folder absolute path of content/
 */
export function contentPlugin(folder: string): Plugin {
  return {
    name: 'content',
    resolveId: (id) => (Object.hasOwn(MODULES, removeQuery(id)) ? `\0${id}` : undefined),
    load(id) {
      const write = MODULES[removeQuery(id.slice(1))];
      if (write === undefined) return undefined;
      if (removeQuery(id) === '\0virtual:content' && this.environment.name === 'client') {
        this.error('content/ would be shipped to every visitor: pass the island its words as props instead');
      }
      const written = write(readContent(folder));
      return typeof written === 'string' ? written : writeExports(written);
    },
    configureServer(server) {
      server.watcher.add(folder);
    },
    hotUpdate({ file }) {
      if (!file.startsWith(folder)) return undefined;
      // Pictures and colours are made from the folder too: everything that reads it is read again.
      this.environment.moduleGraph.invalidateAll();
      this.environment.hot.send({ type: 'full-reload' });
      return [];
    },
  };
}

/** Each is a stylesheet, or the values that the module exports by name. */
const MODULES: Record<string, (content: Content) => string | Record<string, unknown>> = {
  'virtual:content': (content) => content,
  'virtual:consent-question': (content) => ({
    VERSION: hashQuestion(content),
    HAS_TAGS: content.agency.tags.length > 0,
  }),
  'virtual:consent-tags': ({ agency }) => ({ tags: agency.tags, calendar: agency.calendar }),
  'virtual:tokens.css': ({ brand }) => writeTokensCss(brand),
  'virtual:brand': ({ brand }) => {
    const colours = makeBrandColours(brand);
    const [serif, sans] = [brand.fonts.headings, brand.fonts.text].map((id) => writeFontStack(id, { fallback: false }));
    return {
      brand: {
        light: resolveColours(colours, 'light'),
        dark: resolveColours(colours, 'dark'),
        serif,
        sans,
        nameBesideMark: brand.nameBesideMark,
        portrait: brand.portrait,
      },
    };
  },
};

/** A stylesheet may be asked for as `?inline`, or in development as `?direct`. */
function removeQuery(id: string): string {
  return id.split('?', 1)[0]!;
}

function writeExports(values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
}
