import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

/**
 * Pictures and fonts that are made from content/.
 * @property files by their paths in the site
 * @property add adds the file that `make` returns, and returns its URL. `from` is everything that its bytes depend on
 */
export type MadeFiles = {
  files: Map<string, Uint8Array>;
  add: (name: string, from: unknown[], make: () => Uint8Array | Promise<Uint8Array>) => Promise<string>;
};

/**
 * Collects files, each named after what it is made from: servers with different encoders give a file the same name,
 * and a file that an earlier site has isn't made again.
 * @param earlier absolute path of an intact site that was built with the same code
 */
export function collectFiles(earlier?: string): MadeFiles {
  const files = new Map<string, Uint8Array>();
  return {
    files,
    add: async (name, from, make) => {
      const ending = extname(name);
      const path = `assets/${basename(name, ending)}-${hashSources(from)}${ending}`;
      const before = earlier && join(earlier, 'site', path);
      files.set(path, before && existsSync(before) ? readFileSync(before) : await make());
      return `/${path}`;
    },
  };
}

/** @param from JSON values and bytes */
function hashSources(from: unknown[]): string {
  const values = from.map((each) => (each instanceof Uint8Array ? hash('sha256', each) : each));
  return hash('sha256', JSON.stringify(values)).slice(0, 8);
}
