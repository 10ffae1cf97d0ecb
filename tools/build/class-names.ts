import { relative } from 'node:path';

/**
 * The names that CSS Modules are given are short enough for two of them to become the same once in some hundred builds.
 * @returns what Vite calls with each module's names and what they have become
 * @throws {Error} if two modules share one
 */
export function refuseSharedNames(): (file: string, names: Record<string, string>) => void {
  const owners = new Map<string, string>();
  return (file, names) => {
    for (const [name, short] of Object.entries(names)) {
      const owner = owners.get(short) ?? file;
      if (owner !== file) {
        const [first, second] = [owner, file].map((each) => relative(process.cwd(), each));
        throw new Error(`Rename .${name} in ${second}: its short name, ${short}, is one of ${first} already`);
      }
      owners.set(short, file);
    }
  };
}
