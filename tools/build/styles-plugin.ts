import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { Features, transform } from 'lightningcss';
import type { Plugin } from 'vite';

/** A page's stylesheet, which the document inlines, and its hash for the Content-Security-Policy. */
export type PageStyles = { css: string; hash: string };

/**
 * One stylesheet a page, made of the CSS of exactly the modules that the server renders for it. A page imports its
 * component a second time with `?styles`, which gives the key of its entry in `pages`. The document carries these
 * inline, so Vite takes only their class names. The imports of `styles/late-styles.ts` are a sheet of its own, `late`.
 * @param folder absolute path of the site's sources; what its `document.tsx` imports is in every page
 */
export function stylesPlugin(folder: string) {
  const late = `${folder}/styles/late-styles.ts`;
  const styles = new Map<string, string>();
  const sheets = { pages: {} as Record<string, PageStyles>, late: { css: '', hash: '' } };
  /** The key of each page's entry in `sheets`, by the id of the module that asks for its styles. */
  const keys = new Map<string, string>();
  const plugin: Plugin = {
    // Without `enforce` a plugin runs between Vite's two for CSS: classes are renamed, the CSS is not yet taken out.
    name: 'page-styles',
    sharedDuringBuild: true,
    load(id) {
      const [, file] = /^(.*)\?styles$/.exec(id) ?? [];
      if (file === undefined) return undefined;
      const key = posix.relative(this.environment.config.root, file);
      keys.set(id, key);
      const imports = [`${folder}/document.tsx`, file, late].map((each) => `import ${JSON.stringify(each)};`).join(' ');
      return `${imports} export default ${JSON.stringify(key)};`;
    },
    transform(code, id) {
      if (this.environment.mode !== 'build' || !id.endsWith('.css')) return undefined;
      if (this.environment.name !== 'client') styles.set(id, code);
      if (!styles.has(id)) this.error(`${id} is in no page: only what the server renders brings styles`);
      return { code: '', map: { mappings: '' } };
    },
    generateBundle() {
      if (this.environment.name === 'client') return;
      const listImports = (id: string) => {
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        return [...importedIds, ...dynamicallyImportedIds];
      };
      const writeSheet = (modules: string[]) => minifyStyles(modules.map((each) => styles.get(each) ?? '').join('\n'));
      const lateModules = listByImport(late, listImports);
      sheets.late = writeSheet(lateModules);
      for (const [id, key] of keys) sheets.pages[key] = writeSheet(listByImport(id, listImports, new Set(lateModules)));
    },
  };
  return { plugin, sheets };
}

/** Lists a module behind all the modules that it imports, each once, and leaves out those in `seen`. */
function listByImport(id: string, listImports: (id: string) => readonly string[], seen = new Set<string>()): string[] {
  if (seen.has(id)) return [];
  seen.add(id);
  return [...listImports(id).flatMap((imported) => listByImport(imported, listImports, seen)), id];
}

/** Version 16.4. */
const SAFARI = (16 << 16) | (4 << 8);

function minifyStyles(source: string): PageStyles {
  const { code } = transform({
    filename: 'styles.css',
    code: Buffer.from(source),
    minify: true,
    include: Features.Nesting,
    // No colour is written with `light-dark()`, so `color-scheme` needs no stand-in for it.
    exclude: Features.LightDark,
    // Versions of 2023: the first in which every feature the styles need is there.
    targets: {
      chrome: 120 << 16,
      edge: 120 << 16,
      firefox: 113 << 16,
      safari: SAFARI,
      ios_saf: SAFARI,
    },
  });
  const css = Buffer.from(code).toString();
  return { css, hash: `sha256-${hash('sha256', css, 'base64')}` };
}
