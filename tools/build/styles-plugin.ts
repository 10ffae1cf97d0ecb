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
 * The document carries these styles inline, so the browser's build takes only their class names: there, what is never
 * rendered ahead of time (the toasts) is all that brings a stylesheet of its own.
 */
export function stylesPlugin(options: { shell: string }): { plugins: Plugin[]; pages: Record<string, PageStyles> } {
  const styles = new Map<string, string>();
  const classNames = new Map<string, string>();
  const inlined = new Set<string>();
  const pages: Record<string, PageStyles> = {};
  /** Modules whose styles a document asks for, by the key that it is given. */
  const asked = new Map<string, string[]>();

  const keys: Plugin = {
    name: 'page-styles:keys',
    enforce: 'pre',
    sharedDuringBuild: true,
    async resolveId(source, importer) {
      const [file = '', query = ''] = source.split('?');
      if (query !== 'styles' && query !== 'own-styles') return undefined;
      const page = await this.resolve(file, importer);
      if (page === null) return undefined;
      const key = relative(root, page.id).replaceAll('\\', '/');
      asked.set(key, query === 'styles' ? [options.shell, page.id] : [page.id]);
      return `\0page-styles:${key}.js`;
    },
    load(id) {
      const key = /^\0page-styles:(.*)\.js$/.exec(id)?.[1];
      return key === undefined ? undefined : `export default ${JSON.stringify(key)};`;
    },
  };

  const collect: Plugin = {
    // Without `enforce` a plugin runs between Vite's two for CSS: classes are renamed, the CSS is not yet taken out.
    name: 'page-styles:collect',
    apply: 'build',
    sharedDuringBuild: true,
    transform(code, id) {
      if (this.environment.name !== 'ssr' || !isStyle(id)) return;
      const namesake = [...styles.keys()].find((other) => other !== id && basename(other) === basename(id));
      // Class names are made of the file's name, so two files of one name would restyle each other.
      if (namesake) this.error(`${id} and ${namesake} need different names`);
      styles.set(id, code);
    },
    generateBundle() {
      if (this.environment.name !== 'ssr') return;
      const importsOf = (id: string) => this.getModuleInfo(id)?.importedIds ?? [];
      for (const [key, roots] of asked) {
        const ordered = inImportOrder(roots, importsOf);
        for (const style of ordered) inlined.add(style);
        pages[key] = pageStyles([...ordered].map((style) => styles.get(style) ?? '').join('\n'));
      }
    },
  };

  const share: Plugin = {
    name: 'page-styles:share-class-names',
    apply: 'build',
    enforce: 'post',
    sharedDuringBuild: true,
    transform(code, id) {
      if (this.environment.name === 'ssr' && isStyle(id)) classNames.set(id, code);
    },
    resolveId: {
      order: 'pre',
      async handler(source, importer, resolveOptions) {
        if (this.environment.name !== 'client' || !isStyle(source)) return undefined;
        const resolved = await this.resolve(source, importer, { ...resolveOptions, skipSelf: true });
        return resolved && inlined.has(resolved.id) ? `\0class-names:${resolved.id}.js` : resolved;
      },
    },
    load(id) {
      const style = /^\0class-names:(.*)\.js$/.exec(id)?.[1];
      return style === undefined ? undefined : classNames.get(style);
    },
  };

  return { plugins: [keys, collect, share], pages };
}

const root = fileURLToPath(new URL('../..', import.meta.url));

function isStyle(id: string): boolean {
  return id.endsWith('.css');
}

function inImportOrder(roots: string[], importsOf: (id: string) => readonly string[]): Set<string> {
  const seen = new Set<string>();
  const ordered = new Set<string>();
  const visit = (id: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const imported of importsOf(id)) visit(imported);
    if (isStyle(id)) ordered.add(id);
  };
  for (const id of roots) visit(id);
  return ordered;
}

function pageStyles(source: string): PageStyles {
  const { code } = transform({
    filename: 'page.css',
    code: Buffer.from(source),
    minify: true,
    include: Features.Nesting,
    // Versions of 2023: the first in which every feature the styles need is there.
    targets: { chrome: 111 << 16, edge: 111 << 16, firefox: 113 << 16, safari: (16 << 16) | (4 << 8) },
  });
  const css = Buffer.from(code).toString();
  return { css, hash: `sha256-${createHash('sha256').update(css).digest('base64')}` };
}
