import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { Features, transform } from 'lightningcss';
import type { Plugin } from 'vite';

/** What the document inlines: a page's whole stylesheet, and the hash by which its Content-Security-Policy admits it. */
export type PageStyles = { css: string; hash: string };

/**
 * One stylesheet a page, made of the CSS of exactly the modules that the server renders for it.
 *
 * The document carries these styles inline, so the browser's build takes only their class names: there, what is never
 * rendered ahead of time (the toasts) is all that brings a stylesheet of its own.
 */
export function stylesPlugin<Part extends string>(options: {
  shell: string;
  /** Modules that are rendered apart from a page: each gets the styles of its own that no shell brings. */
  parts: Record<Part, string>;
}): { plugins: Plugin[]; pages: Record<string, PageStyles>; parts: Partial<Record<Part, PageStyles>> } {
  const styles = new Map<string, string>();
  const classNames = new Map<string, string>();
  const inlined = new Set<string>();
  const pages: Record<string, PageStyles> = {};
  const parts: Partial<Record<Part, PageStyles>> = {};

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
      for (const id of this.getModuleIds()) {
        const page = /\/([\w-]+)-page\.tsx$/.exec(id)?.[1];
        if (page === undefined) continue;
        const ordered = inImportOrder([options.shell, id], importsOf);
        for (const style of ordered) inlined.add(style);
        pages[page] = pageStyles([...ordered].map((style) => styles.get(style) ?? '').join('\n'));
      }
      for (const [part, file] of Object.entries<string>(options.parts)) {
        const ordered = inImportOrder([file], importsOf);
        for (const style of ordered) inlined.add(style);
        parts[part as Part] = pageStyles([...ordered].map((style) => styles.get(style) ?? '').join('\n'));
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

  return { plugins: [collect, share], pages, parts };
}

/** Class names a person can read, unique because file names are. */
export function scopedName(name: string, file: string): string {
  return `${basename(file.split('?')[0] ?? file, '.module.css')}-${name}`;
}

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
  for (const root of roots) visit(root);
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
