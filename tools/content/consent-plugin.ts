import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import type { Content } from '#shared/content-schema.ts';
import { readContent } from './read-content.ts';

/**
 * Gives the browser the few parts of content/ that consent needs, each as a module of its own, so that each is loaded
 * only where it is used.
 * @param folder absolute path of content/
 */
export function consentPlugin(folder: string): Plugin {
  return {
    name: 'consent',
    resolveId: (id) => (Object.hasOwn(MODULES, id) ? `\0${id}` : undefined),
    load(id) {
      const exportsOf = MODULES[id.slice(1)];
      if (exportsOf === undefined) return undefined;
      return Object.entries(exportsOf(readContent(folder)))
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
    hotUpdate({ file }) {
      if (!file.startsWith(folder)) return;
      const { moduleGraph } = this.environment;
      for (const id of Object.keys(MODULES)) {
        const module = moduleGraph.getModuleById(`\0${id}`);
        if (module) moduleGraph.invalidateModule(module);
      }
    },
  };
}

const MODULES: Record<string, (content: Content) => Record<string, unknown>> = {
  'virtual:consent-question': (content) => ({
    VERSION: questionVersion(content),
    HAS_TAGS: content.agency.tags.length > 0,
  }),
  'virtual:consent-tags': ({ agency }) => ({ tags: agency.tags, calendar: agency.calendar }),
};

/** Changes with any tag, purpose or wording, and with nothing else: whoever answered another question is asked again. */
export function questionVersion({ agency, consent }: Pick<Content, 'agency' | 'consent'>): string {
  const question = JSON.stringify([agency.tags, consent.banner]);
  return createHash('sha256').update(question).digest('base64url').slice(0, 8);
}
