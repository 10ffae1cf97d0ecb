import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { Features, transform } from 'lightningcss';
import type { Plugin } from 'vite';

/** What the document inlines: a page's stylesheet, and its hash for the Content-Security-Policy. */
export type PageStyles = { css: string; hash: string };

/**
 * One stylesheet a page, made of the CSS of exactly the modules that the server renders for it. A page names the module
 * whose styles it needs by importing it with `?styles`, which gives the key of its entry in `pages`. With `?own-styles`
 * they are those of its folder alone, for a part that is put into a page which has the rest.
 *
 * The document carries these styles inline, so Vite itself takes only their class names.
 */
export function stylesPlugin({ shell }: { shell: string }): { plugin: Plugin; pages: Record<string, PageStyles> } {
  const styles = new Map<string, string>();
  const pages: Record<string, PageStyles> = {};
  /** Modules that ask for styles: their keys, and the folder whose styles they ask for. */
  const asked = new Map<string, { key: string; folder: string }>();

  const plugin: Plugin = {
    // Without `enforce` a plugin runs between Vite's two for CSS: classes are renamed, the CSS is not yet taken out.
    name: 'page-styles',
    sharedDuringBuild: true,
    load(id) {
      const [, file, own] = /^(.*)\?(own-)?styles$/.exec(id) ?? [];
      if (file === undefined) return undefined;
      const key = posix.relative(this.environment.config.root, file);
      asked.set(id, { key, folder: own ? `${posix.dirname(file)}/` : '' });
      const ofShell = own ? '' : `import ${JSON.stringify(shell)};`;
      return `${ofShell} import ${JSON.stringify(file)}; export default ${JSON.stringify(key)};`;
    },
    transform(code, id) {
      if (this.environment.mode !== 'build' || !id.endsWith('.css')) return undefined;
      if (this.environment.name !== 'client') styles.set(id, code);
      if (!styles.has(id)) this.error(`${id} is in no page: only what the server renders brings styles`);
      return { code: '', map: { mappings: '' } };
    },
    generateBundle() {
      if (this.environment.name === 'client') return;
      const importsOf = (id: string) => this.getModuleInfo(id)?.importedIds ?? [];
      for (const [id, { key, folder }] of asked) {
        const modules = inImportOrder(id, importsOf).filter((each) => each.startsWith(folder));
        pages[key] = pageStyles(modules.map((each) => styles.get(each) ?? ''));
      }
    },
  };
  return { plugin, pages };
}

/** The modules under one and itself, each once, behind what it imports. */
function inImportOrder(id: string, importsOf: (id: string) => readonly string[], seen = new Set<string>()): string[] {
  if (seen.has(id)) return [];
  seen.add(id);
  return [...importsOf(id).flatMap((imported) => inImportOrder(imported, importsOf, seen)), id];
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
  return { css, hash: `sha256-${hash('sha256', css, 'base64')}` };
}
