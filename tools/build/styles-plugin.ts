import { createHash } from 'node:crypto';
import { basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Features, transform } from 'lightningcss';
import type { Plugin } from 'vite';

/** What the document inlines: a page's stylesheet, and its hash for the Content-Security-Policy. */
export type PageStyles = { css: string; hash: string };

/**
 * One stylesheet a page, made of the CSS of exactly the modules that the server renders for it. A page names the module
 * whose styles it needs by importing it with `?styles`, which gives the key of its entry in `pages`. With `?own-styles`
 * they come without those of the document's shell, for a part that is put into a page.
 *
 * The document carries these styles inline, so the browser's build takes only their class names.
 */
export function stylesPlugin(options: { shell: string }): { plugin: Plugin; pages: Record<string, PageStyles> } {
  const styles = new Map<string, string>();
  const pages: Record<string, PageStyles> = {};
  /** Modules whose styles a document asks for, by the key that it is given. */
  const asked = new Map<string, string[]>();

  const plugin: Plugin = {
    // Without `enforce` a plugin runs between Vite's two for CSS: classes are renamed, the CSS is not yet taken out.
    name: 'page-styles',
    sharedDuringBuild: true,
    load(id) {
      const [file = '', query = ''] = id.split('?');
      if (query !== 'styles' && query !== 'own-styles') return undefined;
      const key = relative(root, file).replaceAll('\\', '/');
      asked.set(key, query === 'styles' ? [options.shell, file] : [file]);
      return `export default ${JSON.stringify(key)};`;
    },
    transform(code, id) {
      if (this.environment.mode !== 'build' || !isStyle(id)) return undefined;
      if (this.environment.name === 'client') {
        if (!styles.has(id)) this.error(`${id} is in no page: only what the server renders brings styles`);
        return { code: '' };
      }
      const namesake = [...styles.keys()].find((other) => other !== id && basename(other) === basename(id));
      // Class names are made of the file's name, so two files of one name would restyle each other.
      if (namesake) this.error(`${id} and ${namesake} need different names`);
      styles.set(id, code);
      return undefined;
    },
    generateBundle() {
      if (this.environment.name === 'client') return;
      const importsOf = (id: string) => this.getModuleInfo(id)?.importedIds ?? [];
      for (const [key, roots] of asked) {
        pages[key] = pageStyles(inImportOrder(roots, importsOf).map((id) => styles.get(id) ?? ''));
      }
    },
  };
  return { plugin, pages };
}

const root = fileURLToPath(new URL('../..', import.meta.url));

function isStyle(id: string): boolean {
  return id.endsWith('.css');
}

/** The modules under `ids` and these themselves, each once, behind what it imports. */
function inImportOrder(ids: readonly string[], importsOf: (id: string) => readonly string[]): string[] {
  const seen = new Set<string>();
  const visit = (id: string): string[] => {
    if (seen.has(id)) return [];
    seen.add(id);
    return [...importsOf(id).flatMap(visit), id];
  };
  return ids.flatMap(visit);
}

function pageStyles(sources: string[]): PageStyles {
  const { code } = transform({
    filename: 'page.css',
    code: Buffer.from(sources.join('\n')),
    minify: true,
    include: Features.Nesting,
    // No colour is written with `light-dark()`, so `color-scheme` needs no stand-in for it.
    exclude: Features.LightDark,
    // Versions of 2023: the first in which every feature the styles need is there.
    targets: { chrome: 111 << 16, edge: 111 << 16, firefox: 113 << 16, safari: (16 << 16) | (4 << 8) },
  });
  const css = Buffer.from(code).toString();
  return { css, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` };
}
